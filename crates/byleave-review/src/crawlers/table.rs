//! The table of crawlers: one row per crawler, sorted by token, ignoring case. `docs/crawlers.md` explains how the
//! table is maintained.
//!
//! A row consists of the token, the operator (empty if not documented), the kind, whether the crawler obeys robots.txt,
//! its purposes and the evidence. The row may also name the group that the crawler falls back to, state `ignores any`
//! if groups for any crawler do not bind it, and contain a note.

use super::CatalogueEvidence::{self, Documented, Listed, Unverified};
use super::CrawlerKind::{Agent, Crawler, Fetcher, Token};
use super::KnownCrawler;
use super::Obedience::{Ignores, Obeys, Partly, Unknown};
use super::Purpose::{
    Accessibility, Ads, Agency, Ai, AiInput, DataSupply, Feed, Preserve, Preview, Research, Search, Security, Seo,
    SiteTools, TrainAi,
};
use byleave::model::AnyGroup;

const AMAZON: CatalogueEvidence = Documented("https://developer.amazon.com/amazonbot");
const ANTHROPIC: CatalogueEvidence = Documented("https://support.claude.com/en/articles/8896518");
const APPLE: CatalogueEvidence = Documented("https://support.apple.com/en-us/119829");
const BING: CatalogueEvidence =
    Documented("https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0");
const GOOGLE_COMMON: CatalogueEvidence =
    Documented("https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers");
const GOOGLE_FETCHERS: CatalogueEvidence =
    Documented("https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers");
const GOOGLE_SPECIAL: CatalogueEvidence =
    Documented("https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers");
const META: CatalogueEvidence = Documented("https://developers.facebook.com/docs/sharing/webmasters/web-crawlers");
const MISTRAL: CatalogueEvidence = Documented("https://docs.mistral.ai/robots");
const OPENAI: CatalogueEvidence = Documented("https://developers.openai.com/api/docs/bots");
const PERPLEXITY: CatalogueEvidence = Documented("https://docs.perplexity.ai/guides/bots");
const SEMRUSH: CatalogueEvidence = Documented("https://www.semrush.com/bot/");
const YANDEX: CatalogueEvidence = Documented("https://yandex.com/support/webmaster/en/robot-workings/user-agent");

const AI_LIST: CatalogueEvidence = Listed("https://github.com/ai-robots-txt/ai.robots.txt");
const USER_AGENT_LIST: CatalogueEvidence = Listed("https://github.com/monperrus/crawler-user-agents");

macro_rules! any_group {
    () => {
        AnyGroup::Applies
    };
    (any) => {
        AnyGroup::DoesNotApply
    };
}

macro_rules! crawlers {
    ($($token:literal, $operator:literal, $kind:ident, $obedience:ident, [$($purpose:ident),*], $evidence:expr
        $(, falls back to [$($fallback:literal),*])? $(, ignores $any:ident)? $(, $note:literal)?;)*) => {
        /// Every crawler in the catalogue, sorted by token, ignoring case.
        pub(super) const ALL: &[KnownCrawler] = &[$(KnownCrawler {
            token: $token,
            operator: $operator,
            kind: $kind,
            obedience: $obedience,
            purposes: &[$($purpose),*],
            evidence: $evidence,
            fallbacks: &[$($($fallback),*)?],
            any_group: any_group!($($any)?),
            note: concat!("" $(, $note)?),
        },)*];
    };
}

crawlers! {
    "360Spider", "Qihoo 360", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "AddSearchBot", "AddSearch", Crawler, Unknown, [Search, AiInput], AI_LIST;
    "AdIdxBot", "Microsoft", Crawler, Unknown, [Ads], BING;
    "AdsBot-Google", "Google", Crawler, Obeys, [Ads], GOOGLE_SPECIAL, ignores any, "checks the landing pages of ads";
    "AdsBot-Google-Mobile", "Google", Crawler, Obeys, [Ads], GOOGLE_SPECIAL, ignores any, "checks the landing pages of ads on phones";
    "AgentTimes", "The Agent Times", Crawler, Unknown, [TrainAi], AI_LIST, "reads feeds";
    "AhrefsBot", "Ahrefs", Crawler, Obeys, [Seo, Search], Documented("https://ahrefs.com/robot"), "link index; respects Crawl-delay";
    "AhrefsSiteAudit", "Ahrefs", Crawler, Obeys, [Seo], Documented("https://ahrefs.com/robot/site-audit"), "site owners may ask it to disregard robots.txt";
    "AI2Bot", "Ai2", Crawler, Obeys, [TrainAi], AI_LIST;
    "AI2Bot-DeepResearchEval", "Ai2", Fetcher, Unknown, [AiInput], AI_LIST;
    "Ai2Bot-Dolma", "Ai2", Crawler, Obeys, [TrainAi], AI_LIST, "open data sets for language models";
    "aiHitBot", "aiHit", Crawler, Obeys, [Ai], AI_LIST, "company data";
    "AIWebIndex", "Lyrenth", Crawler, Unknown, [DataSupply], AI_LIST;
    "amazon-kendra", "Amazon", Crawler, Obeys, [AiInput], AI_LIST, "configured by customers";
    "amazon-QBusiness", "Amazon", Fetcher, Unknown, [AiInput], AI_LIST;
    "Amazonbot", "Amazon", Crawler, Obeys, [TrainAi, AiInput], AMAZON, "treats noarchive as no training; ignores Crawl-delay";
    "AmazonBuyForMe", "Amazon", Agent, Unknown, [Agency], AI_LIST, "makes purchases for a user";
    "Amzn-SearchBot", "Amazon", Crawler, Obeys, [Search, AiInput], AMAZON, "not used to train generative models";
    "Amzn-User", "Amazon", Fetcher, Partly, [AiInput], AMAZON;
    "Andibot", "Andi", Crawler, Unknown, [AiInput, Search], AI_LIST;
    "Anomura", "Direqt", Crawler, Obeys, [Search, AiInput], AI_LIST;
    "anthropic-ai", "Anthropic", Crawler, Unknown, [TrainAi], AI_LIST, "no longer documented by its operator";
    "ApifyBot", "Apify", Crawler, Unknown, [DataSupply], AI_LIST;
    "ApifyWebsiteContentCrawler", "Apify", Crawler, Unknown, [DataSupply], AI_LIST;
    "APIs-Google", "Google", Crawler, Obeys, [SiteTools], GOOGLE_SPECIAL, ignores any, "delivers push notifications";
    "Applebot", "Apple", Crawler, Obeys, [Search, AiInput], APPLE, falls back to ["Googlebot"], "Siri, Spotlight and Safari";
    "Applebot-Extended", "Apple", Token, Obeys, [TrainAi], APPLE, "never fetches; controls whether content that Applebot fetched may be used to train models";
    "Aranet-SearchBot", "Aranet", Crawler, Unknown, [Ai], AI_LIST;
    "archive.org_bot", "Internet Archive", Crawler, Unknown, [Preserve], USER_AGENT_LIST, "the Wayback Machine";
    "arquivo-web-crawler", "Arquivo.pt", Crawler, Unknown, [Preserve], USER_AGENT_LIST;
    "atlassian-bot", "Atlassian", Fetcher, Obeys, [AiInput], AI_LIST;
    "Awario", "Awario", Crawler, Unknown, [TrainAi], AI_LIST;
    "AzureAI-SearchBot", "Microsoft", Crawler, Unknown, [AiInput], AI_LIST;
    "Baiduspider", "Baidu", Crawler, Obeys, [Search], Documented("https://www.baidu.com/search/spider.html");
    "Baiduspider-image", "Baidu", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Barkrowler", "Babbar", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "bedrockbot", "Amazon", Crawler, Obeys, [AiInput], AI_LIST, "configured by customers";
    "bigsur.ai", "Big Sur AI", Fetcher, Unknown, [AiInput], AI_LIST;
    "bingbot", "Microsoft", Crawler, Obeys, [Search, AiInput, TrainAi], BING, falls back to ["msnbot"], "a group for msnbot binds it if no group names bingbot; nocache and noarchive also limit Copilot";
    "BingPreview", "Microsoft", Crawler, Unknown, [Preview], BING;
    "BLEXBot", "WebMeUp", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "Bluesky Cardyb", "Bluesky", Fetcher, Unknown, [Preview], Unverified;
    "Bravebot", "Brave", Crawler, Obeys, [Search, AiInput], Documented("https://search.brave.com/help/brave-search-crawler"), falls back to ["Googlebot"], "has no user agent of its own; does not crawl what Googlebot may not crawl";
    "Brightbot", "Bright Data", Crawler, Unknown, [DataSupply], AI_LIST;
    "BuddyBot", "BuddyBot Learning", Crawler, Unknown, [Ai], AI_LIST;
    "Bytespider", "ByteDance", Crawler, Ignores, [TrainAi], AI_LIST, "not documented by its operator";
    "CCBot", "Common Crawl", Crawler, Obeys, [Preserve, TrainAi], Documented("https://commoncrawl.org/ccbot"), "an open corpus that many models are trained on; respects Crawl-delay";
    "Channel3Bot", "Channel3", Crawler, Unknown, [Search, AiInput], AI_LIST;
    "ChatGLM-Spider", "Zhipu AI", Crawler, Unknown, [TrainAi], AI_LIST;
    "ChatGPT Agent", "OpenAI", Agent, Obeys, [Agency], AI_LIST, "identified by a signature, not by a name in its requests";
    "ChatGPT-User", "OpenAI", Fetcher, Partly, [AiInput], OPENAI, "its operator says that robots.txt may not apply";
    "Claude-Code", "Anthropic", Agent, Unknown, [Agency], AI_LIST;
    "Claude-SearchBot", "Anthropic", Crawler, Obeys, [Search, AiInput], ANTHROPIC, "respects Crawl-delay";
    "Claude-User", "Anthropic", Fetcher, Obeys, [AiInput], ANTHROPIC, "respects Crawl-delay";
    "Claude-Web", "Anthropic", Crawler, Unknown, [TrainAi], AI_LIST, "no longer documented by its operator";
    "ClaudeBot", "Anthropic", Crawler, Obeys, [TrainAi], ANTHROPIC, "respects Crawl-delay";
    "Cloudflare-AutoRAG", "Cloudflare", Crawler, Obeys, [Search, AiInput], AI_LIST;
    "CloudflareBrowserRenderingCrawler", "Cloudflare", Crawler, Obeys, [DataSupply], Documented("https://developers.cloudflare.com/browser-rendering/"), "crawls for customers; respects Content-Signal";
    "CloudVertexBot", "Google", Crawler, Unknown, [TrainAi], AI_LIST;
    "coccocbot-web", "Coc Coc", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Code", "", Agent, Unknown, [Agency], AI_LIST, "a coding agent; other crawlers may share the name";
    "cohere-ai", "Cohere", Fetcher, Unknown, [AiInput], AI_LIST;
    "cohere-training-data-crawler", "Cohere", Crawler, Unknown, [TrainAi], AI_LIST;
    "Cotoyogi", "ROIS", Crawler, Obeys, [TrainAi], AI_LIST;
    "CragCrawler", "CragSoftware", Crawler, Unknown, [DataSupply], AI_LIST;
    "Crawl4AI", "", Crawler, Unknown, [Ai], AI_LIST;
    "Crawlspace", "Crawlspace", Crawler, Obeys, [DataSupply], AI_LIST;
    "Cursor", "Anysphere", Agent, Unknown, [Agency], AI_LIST;
    "DataForSeoBot", "DataForSEO", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "Datenbank Crawler", "Datenbank", Crawler, Unknown, [TrainAi], AI_LIST;
    "Daum", "Kakao", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "DeepSeekBot", "DeepSeek", Crawler, Ignores, [TrainAi], AI_LIST, "not documented by its operator";
    "Devin", "Cognition", Agent, Obeys, [Agency], AI_LIST;
    "Diffbot", "Diffbot", Crawler, Partly, [DataSupply], AI_LIST, "obeys robots.txt if its customers choose so";
    "Discordbot", "Discord", Fetcher, Unknown, [Preview], USER_AGENT_LIST;
    "DotBot", "Moz", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "DuckAssistBot", "DuckDuckGo", Crawler, Obeys, [AiInput], Documented("https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot"), "not used for training";
    "DuckDuckBot", "DuckDuckGo", Crawler, Obeys, [Search], Documented("https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot");
    "Echobot Bot", "Echobox", Crawler, Unknown, [TrainAi], AI_LIST;
    "EchoboxBot", "Echobox", Crawler, Unknown, [Ai], AI_LIST;
    "ExaBot", "Exa", Crawler, Unknown, [DataSupply, Search], AI_LIST, "the former search engine Exalead used the same name with different capitalization";
    "ExaSearchBot", "Exa", Crawler, Unknown, [Search, AiInput], AI_LIST;
    "FacebookBot", "Meta", Crawler, Obeys, [TrainAi], AI_LIST;
    "facebookexternalhit", "Meta", Fetcher, Partly, [Preview], META, "previews of shared links";
    "Factset_spyderbot", "FactSet", Crawler, Unknown, [TrainAi], AI_LIST;
    "FeedFetcher-Google", "Google", Fetcher, Ignores, [Feed], GOOGLE_FETCHERS, "feeds that users subscribed to";
    "FirecrawlAgent", "Firecrawl", Crawler, Obeys, [DataSupply], AI_LIST;
    "FriendlyCrawler", "", Crawler, Obeys, [Ai], AI_LIST, "data sets for machine learning";
    "GeistHaus-PageFetcher", "GeistHaus", Fetcher, Unknown, [AiInput], AI_LIST;
    "Gemini-Deep-Research", "Google", Fetcher, Unknown, [AiInput], AI_LIST;
    "Google-Agent", "Google", Agent, Ignores, [Agency], GOOGLE_FETCHERS, "acts for a user in a browser";
    "Google-CloudVertexBot", "Google", Crawler, Obeys, [AiInput], GOOGLE_COMMON, falls back to ["Googlebot"], "crawls at the request of the site's owner";
    "Google-Extended", "Google", Token, Obeys, [TrainAi, AiInput], GOOGLE_COMMON, "never fetches; controls whether content that Googlebot fetched may be used to train and ground Gemini";
    "Google-Firebase", "Google", Crawler, Unknown, [Ai], AI_LIST, "apps made with Firebase";
    "Google-Gemini-CLI", "Google", Agent, Unknown, [Agency], AI_LIST;
    "Google-GeminiNotebook", "Google", Fetcher, Ignores, [AiInput], GOOGLE_FETCHERS, "fetches sources that users add to a notebook";
    "Google-InspectionTool", "Google", Crawler, Obeys, [SiteTools], GOOGLE_COMMON, falls back to ["Googlebot"], "tests in Search Console";
    "Google-NotebookLM", "Google", Fetcher, Ignores, [AiInput], GOOGLE_FETCHERS, "the former name of Google-GeminiNotebook";
    "Google-Read-Aloud", "Google", Fetcher, Ignores, [Accessibility], GOOGLE_FETCHERS, "reads pages aloud";
    "Google-Safety", "Google", Crawler, Ignores, [Security], GOOGLE_SPECIAL, "detects abuse such as malware";
    "Google-Site-Verification", "Google", Fetcher, Ignores, [SiteTools], GOOGLE_FETCHERS, "verifies site ownership";
    "GoogleAgent-Mariner", "Google", Agent, Unknown, [Agency], AI_LIST;
    "GoogleAgent-URLContext", "Google", Fetcher, Unknown, [AiInput], AI_LIST, "for users of the Gemini API";
    "Googlebot", "Google", Crawler, Obeys, [Search, AiInput], GOOGLE_COMMON, "AI Overviews use what it fetches; nosnippet and max-snippet limit them";
    "Googlebot-Image", "Google", Crawler, Obeys, [Search], GOOGLE_COMMON, falls back to ["Googlebot"], "images";
    "Googlebot-News", "Google", Token, Obeys, [Search], GOOGLE_COMMON, falls back to ["Googlebot"], "fetches as Googlebot; the name is used in robots.txt and META tags";
    "Googlebot-Video", "Google", Crawler, Obeys, [Search], GOOGLE_COMMON, falls back to ["Googlebot"], "videos";
    "GoogleOther", "Google", Crawler, Obeys, [Research, TrainAi], GOOGLE_COMMON, "used by many teams for research and development";
    "GoogleOther-Image", "Google", Crawler, Obeys, [Research], GOOGLE_COMMON, falls back to ["GoogleOther"], "fetches images for research and development";
    "GoogleOther-Video", "Google", Crawler, Obeys, [Research], GOOGLE_COMMON, falls back to ["GoogleOther"], "fetches videos for research and development";
    "GPTBot", "OpenAI", Crawler, Obeys, [TrainAi], OPENAI;
    "HenkBot", "Valyu", Crawler, Unknown, [DataSupply], AI_LIST;
    "heritrix", "", Crawler, Unknown, [Preserve], USER_AGENT_LIST, "software that many archives run";
    "ia_archiver", "Internet Archive", Crawler, Unknown, [Preserve], USER_AGENT_LIST, "a former name";
    "iAskBot", "iAsk", Crawler, Unknown, [Ai], AI_LIST;
    "iaskspider", "iAsk", Crawler, Unknown, [Ai], AI_LIST;
    "ICC-Crawler", "NICT", Crawler, Obeys, [TrainAi], AI_LIST;
    "ImagesiftBot", "Hive", Crawler, Obeys, [TrainAi], AI_LIST;
    "imageSpider", "", Crawler, Unknown, [TrainAi], AI_LIST;
    "img2dataset", "", Crawler, Ignores, [TrainAi], Documented("https://github.com/rom1504/img2dataset"), "software that respects X-Robots-Tag, not robots.txt";
    "ISSCyberRiskCrawler", "ISS-Corporate", Crawler, Ignores, [TrainAi], AI_LIST;
    "kagi-fetcher", "Kagi", Fetcher, Unknown, [AiInput], AI_LIST;
    "Kagibot", "Kagi", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Kangaroo Bot", "Kangaroo LLM", Crawler, Unknown, [TrainAi], AI_LIST;
    "Kimi-User", "Moonshot AI", Fetcher, Unknown, [AiInput], AI_LIST;
    "KlaviyoAIBot", "Klaviyo", Fetcher, Obeys, [AiInput], AI_LIST;
    "KunatoCrawler", "Kunato", Crawler, Unknown, [Ai], AI_LIST;
    "laion-huggingface-processor", "LAION", Crawler, Unknown, [TrainAi], AI_LIST;
    "LAIONDownloader", "LAION", Crawler, Ignores, [TrainAi], AI_LIST, "software";
    "LCC", "", Crawler, Unknown, [TrainAi], AI_LIST;
    "Lightpanda", "", Crawler, Partly, [TrainAi], AI_LIST, "a browser that programs control";
    "LinerBot", "Liner", Fetcher, Unknown, [AiInput], AI_LIST;
    "Linguee Bot", "Linguee", Crawler, Ignores, [Ai], AI_LIST, "translations";
    "LinkedInBot", "LinkedIn", Crawler, Unknown, [Preview], USER_AGENT_LIST;
    "LinkupBot", "Linkup", Crawler, Unknown, [Search, AiInput], AI_LIST;
    "Manus-User", "Butterfly Effect", Agent, Unknown, [Agency], AI_LIST;
    "marginalia", "Marginalia", Crawler, Unknown, [Search], Unverified;
    "Mastodon", "", Fetcher, Unknown, [Preview], USER_AGENT_LIST;
    "Mediapartners-Google", "Google", Crawler, Obeys, [Ads], GOOGLE_SPECIAL, ignores any, "matches ads to pages";
    "meta-externalagent", "Meta", Crawler, Obeys, [TrainAi, AiInput], META;
    "meta-externalfetcher", "Meta", Fetcher, Partly, [AiInput], META, "its operator says that it may bypass robots.txt";
    "meta-webindexer", "Meta", Crawler, Obeys, [Search, AiInput], META;
    "MicrosoftPreview", "Microsoft", Crawler, Unknown, [Preview], BING;
    "MistralAI-Index", "Mistral AI", Crawler, Obeys, [Search, AiInput], MISTRAL, "not used for training";
    "MistralAI-Training", "Mistral AI", Crawler, Obeys, [TrainAi], MISTRAL;
    "MistralAI-User", "Mistral AI", Fetcher, Obeys, [AiInput], MISTRAL, "not used for training";
    "MJ12bot", "Majestic", Crawler, Obeys, [Seo], Documented("https://mj12bot.com"), "indexes links between sites; respects Crawl-delay";
    "MojeekBot", "Mojeek", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Mozilla-Tabstack", "Mozilla", Crawler, Obeys, [DataSupply], AI_LIST;
    "msnbot", "Microsoft", Crawler, Unknown, [Search], USER_AGENT_LIST, "the former name of bingbot";
    "MyCentralAIScraperBot", "", Crawler, Unknown, [TrainAi], AI_LIST;
    "NagetBot", "Naget", Crawler, Unknown, [TrainAi], AI_LIST;
    "netEstate Imprint Crawler", "netEstate", Crawler, Unknown, [TrainAi], AI_LIST;
    "newsai", "", Crawler, Unknown, [TrainAi], AI_LIST;
    "NotebookLM", "Google", Fetcher, Unknown, [AiInput], AI_LIST;
    "NovaAct", "Amazon", Agent, Unknown, [Agency], AI_LIST;
    "OAI-AdsBot", "OpenAI", Crawler, Unknown, [Ads], OPENAI, "checks the landing pages of ads";
    "OAI-SearchBot", "OpenAI", Crawler, Obeys, [Search, AiInput], OPENAI, "a page it may not fetch may still be shown as a link";
    "omgili", "Webz.io", Crawler, Obeys, [DataSupply], AI_LIST, "sells data";
    "omgilibot", "Webz.io", Crawler, Obeys, [Ai], AI_LIST, "sells data";
    "OpenAI", "OpenAI", Crawler, Obeys, [Ai], AI_LIST, "a name found in robots.txt files; its operator documents other names";
    "opencode", "", Agent, Unknown, [Agency], AI_LIST;
    "Operator", "OpenAI", Agent, Unknown, [Agency], AI_LIST, "other crawlers may share the name";
    "PanguBot", "Huawei", Crawler, Unknown, [TrainAi], AI_LIST;
    "Panscient", "Panscient", Crawler, Obeys, [Ai], AI_LIST;
    "panscient.com", "Panscient", Crawler, Obeys, [Ai], AI_LIST, "another name for Panscient";
    "Perplexity-User", "Perplexity", Fetcher, Ignores, [AiInput], PERPLEXITY, "its operator says that it generally ignores robots.txt";
    "PerplexityBot", "Perplexity", Crawler, Obeys, [Search, AiInput], PERPLEXITY, "not used to train foundation models";
    "PetalBot", "Huawei", Crawler, Obeys, [Search, AiInput], AI_LIST;
    "PhindBot", "Phind", Crawler, Unknown, [AiInput], AI_LIST;
    "Pinterestbot", "Pinterest", Crawler, Unknown, [Preview, Search], Unverified;
    "Poggio-Citations", "Poggio", Fetcher, Unknown, [AiInput], AI_LIST;
    "Poseidon Research Crawler", "Poseidon Research", Crawler, Unknown, [Search, AiInput], AI_LIST;
    "QualifiedBot", "Qualified", Fetcher, Unknown, [AiInput], AI_LIST;
    "Querit-SearchBot", "Querit", Crawler, Unknown, [DataSupply], AI_LIST;
    "QueritBot", "Querit", Crawler, Unknown, [DataSupply], AI_LIST;
    "QuillBot", "QuillBot", Crawler, Unknown, [Ai], AI_LIST;
    "quillbot.com", "QuillBot", Crawler, Unknown, [Ai], AI_LIST, "another name for QuillBot";
    "Qwantbot", "Qwant", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Qwantify", "Qwant", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "redditbot", "Reddit", Crawler, Unknown, [Preview], USER_AGENT_LIST;
    "Reflectionbot", "Reflection", Crawler, Unknown, [Ai], AI_LIST;
    "rogerbot", "Moz", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "SBIntuitionsBot", "SB Intuitions", Crawler, Obeys, [Ai], AI_LIST;
    "Scrapy", "", Crawler, Unknown, [TrainAi], AI_LIST, "software that many people run";
    "Screaming Frog SEO Spider", "Screaming Frog", Crawler, Unknown, [Seo], USER_AGENT_LIST, "software; each user decides";
    "SemrushBot", "Semrush", Crawler, Obeys, [Seo], SEMRUSH, "link index";
    "SemrushBot-OCOB", "Semrush", Crawler, Obeys, [Seo, AiInput], SEMRUSH, "a writing tool";
    "SemrushBot-SWA", "Semrush", Crawler, Obeys, [Seo, AiInput], SEMRUSH, "a writing tool";
    "SEOkicks", "SEOkicks", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "serpstatbot", "Serpstat", Crawler, Unknown, [Seo], USER_AGENT_LIST;
    "SeznamBot", "Seznam.cz", Crawler, Obeys, [Search], Documented("https://napoveda.seznam.cz/en/seznambot-intro/");
    "Shap-User", "Parallel", Fetcher, Unknown, [AiInput], AI_LIST;
    "ShapBot", "Parallel", Crawler, Obeys, [DataSupply], AI_LIST;
    "Sidetrade indexer bot", "Sidetrade", Crawler, Unknown, [TrainAi], AI_LIST;
    "Slackbot-LinkExpanding", "Slack", Fetcher, Unknown, [Preview], USER_AGENT_LIST;
    "Slurp", "Yahoo", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Sogou web spider", "Sogou", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "Spider", "", Crawler, Unknown, [TrainAi], AI_LIST, "other crawlers may share the name";
    "Storebot-Google", "Google", Crawler, Obeys, [Search], GOOGLE_COMMON, "shopping; a group for Googlebot does not bind it";
    "TavilyBot", "Tavily", Crawler, Unknown, [DataSupply, AiInput], AI_LIST;
    "TelegramBot", "Telegram", Fetcher, Unknown, [Preview], USER_AGENT_LIST;
    "Terra Cotta", "Ceramic AI", Crawler, Unknown, [DataSupply], AI_LIST, "another spelling of TerraCotta";
    "TerraCotta", "Ceramic AI", Crawler, Obeys, [DataSupply], AI_LIST;
    "Thinkbot", "Thinkbot", Crawler, Ignores, [Ai], AI_LIST;
    "TikTokSpider", "ByteDance", Crawler, Unknown, [TrainAi, Preview], AI_LIST;
    "Timpibot", "Timpi", Crawler, Unknown, [Search, TrainAi], AI_LIST;
    "TongyiBot", "Alibaba", Fetcher, Unknown, [AiInput], AI_LIST;
    "Trae", "ByteDance", Agent, Unknown, [Agency], AI_LIST;
    "TwinAgent", "Twin", Agent, Unknown, [Agency], AI_LIST;
    "Twitterbot", "X", Crawler, Unknown, [Preview], USER_AGENT_LIST;
    "UseAI", "", Fetcher, Unknown, [AiInput], AI_LIST;
    "VelenPublicWebCrawler", "Velen", Crawler, Obeys, [TrainAi, Research], AI_LIST;
    "WARDBot", "Webspark", Crawler, Unknown, [TrainAi], AI_LIST;
    "Webzio-Extended", "Webz.io", Token, Unknown, [TrainAi], AI_LIST, "controls whether data from Webz.io may be used to train models";
    "WhatsApp", "Meta", Fetcher, Unknown, [Preview], USER_AGENT_LIST;
    "wpbot", "QuantumCloud", Crawler, Unknown, [Ai], AI_LIST, "website chat";
    "WRTNBot", "Wrtn", Crawler, Unknown, [Ai], AI_LIST;
    "YaK", "Meltwater", Crawler, Unknown, [Search, AiInput], AI_LIST, "monitors brand mentions";
    "Yandex", "Yandex", Token, Obeys, [Search], YANDEX, "covers all robots of its operator";
    "YandexAdditional", "Yandex", Crawler, Obeys, [TrainAi], YANDEX, falls back to ["Yandex"], "answers from YandexGPT";
    "YandexAdditionalBot", "Yandex", Crawler, Obeys, [TrainAi, AiInput], YANDEX, falls back to ["Yandex"], "answers from YandexGPT";
    "YandexBot", "Yandex", Crawler, Obeys, [Search], YANDEX, falls back to ["Yandex"], "the main robot";
    "YandexImages", "Yandex", Crawler, Obeys, [Search], YANDEX, falls back to ["Yandex"], "images";
    "YandexMobileBot", "Yandex", Crawler, Obeys, [Search], YANDEX, falls back to ["Yandex"];
    "Yeti", "Naver", Crawler, Unknown, [Search], USER_AGENT_LIST;
    "YiyanBot", "Baidu", Fetcher, Unknown, [AiInput], AI_LIST;
    "YouBot", "You.com", Crawler, Obeys, [Search, AiInput], Documented("https://about.you.com/youbot/");
    "ZanistaBot", "Zanista", Crawler, Unknown, [Search, AiInput], AI_LIST;
}
