//! Building a site step by step, each step a site of its own.

use super::builder::SiteBuilder;
use super::{Document, Evidence};
use crate::base::shared_bytes::SharedBytes;
use crate::base::timestamp::Timestamp;
use crate::formats::http::Headers;
use crate::model::Obtained;
use crate::model::reading::Reading;
use crate::policy::SharedPolicy;

#[expect(missing_docs, reason = "to be replaced by the builder")]
impl<'e> Evidence<'e> {
    #[must_use]
    pub fn new(reading: Reading) -> Self {
        Self::builder(reading).build()
    }

    fn again(self, step: impl FnOnce(SiteBuilder<'e>) -> SiteBuilder<'e>) -> Self {
        step(SiteBuilder::of_site(self)).build()
    }

    #[must_use]
    pub fn with_robots_txt(self, obtained: Obtained, body: impl Into<SharedBytes<'e>>) -> Self {
        self.again(|builder| builder.with_robots_txt(obtained, body))
    }

    #[must_use]
    pub fn with_policy(self, policy: impl Into<SharedPolicy<'e>>) -> Self {
        self.again(|builder| builder.with_policy(policy))
    }

    #[must_use]
    pub fn with_headers(self, headers: Headers) -> Self {
        self.again(|builder| builder.with_headers(headers))
    }

    #[must_use]
    pub fn with_page(self, page: impl Into<SharedBytes<'e>>) -> Self {
        self.again(|builder| builder.with_page(page))
    }

    #[must_use]
    pub fn with_dom(self, dom: impl Into<SharedBytes<'e>>) -> Self {
        self.again(|builder| builder.with_dom(dom))
    }

    #[must_use]
    pub fn with_content_type(self, content_type: impl Into<String>) -> Self {
        self.again(|builder| builder.with_content_type(content_type))
    }

    #[must_use]
    pub fn with_document(self, document: Document<'e>) -> Self {
        self.again(|builder| builder.with_document(document))
    }

    #[must_use]
    pub fn fetched_at(self, fetched: Timestamp) -> Self {
        self.again(|builder| builder.fetched_at(fetched))
    }
}
