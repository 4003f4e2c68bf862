//! Compares Byleave with other parsers on the same files and URLs in one run.
//!
//! Run it with `cargo run --release -p byleave-bench -- CORPUS/data/robots.jsonl.gz`. Pages are read from
//! `pages.warc.gz` in the same folder. In a comparison, the engines take turns for several rounds, and each row shows
//! the median of one engine's CPU times. Only ratios within one run are meaningful.

mod acap;
mod heap;
mod pages;
mod protego;

use byleave::{Compiler, Crawler, Policy, Reading};
use byleave_bench::corpus::{self, Shape, Site, Strings};
use cpu_time::ProcessTime;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

const NAMED: &str = "Googlebot";
const UNNAMED: &str = "RandomBot";
const ROUNDS: usize = 5;

fn main() {
    let Some(file) = std::env::args().nth(1) else {
        eprintln!("usage: byleave-bench ROBOTS.JSONL.GZ (one {{\"host\", \"robots\"}} per line)");
        std::process::exit(2);
    };
    let sites = match corpus::load(Path::new(&file), 20) {
        Ok(sites) => sites,
        Err(error) => {
            eprintln!("byleave-bench: {error}");
            std::process::exit(2);
        }
    };
    let bytes: usize = sites.iter().map(|site| site.text.len()).sum();
    println!("{} files, {:.1} MB, {} URLs\n", sites.len(), bytes as f64 / 1e6, sites.len() * 20);
    let wanted: Vec<String> = std::env::args().skip(2).collect();
    let passes: usize = std::env::var("PASSES").ok().and_then(|text| text.parse().ok()).unwrap_or(100);
    let asked_for = |part: &str| wanted.iter().any(|word| word == part);
    let wants = |part: &str| wanted.is_empty() || asked_for(part);
    if wants("read") {
        reading_rows(&sites, bytes);
    }
    if wants("decide") {
        deciding_rows(&sites);
    }
    if wants("heap") {
        heap_rows(&sites, bytes);
    }
    if wants("protego") {
        protego_rows(&sites, bytes);
    }
    if wants("hostile") {
        hostile_rows();
    }
    if wants("acap") {
        acap_rows(&sites);
    }
    if wants("pages") || asked_for("profile-pages") {
        match pages::load(&Path::new(&file).with_file_name("pages.warc.gz")) {
            Ok(pages) if wants("pages") => pages::rows(&pages),
            Ok(pages) => (0..passes).for_each(|_| assert!(black_box(pages::profile(&pages)) > 0)),
            Err(error) => println!("pages skipped: {error}\n"),
        }
    }
    if asked_for("profile-read") {
        let mut compiler = Compiler::new(Reading::Default);
        for _ in 0..passes {
            black_box(sites.iter().map(|site| compiler.compile(&site.text).rule_count()).sum::<usize>());
        }
    }
    if asked_for("profile-acap") {
        profile_acap(&sites, passes);
    }
    if asked_for("profile-decide") {
        let crawler = Crawler::named(NAMED);
        let policies: Vec<Policy<'_>> = sites.iter().map(|site| Policy::parse(&site.text)).collect();
        let bound: Vec<_> = policies.iter().map(|policy| policy.bind(&crawler)).collect();
        for _ in 0..passes {
            black_box(
                sites
                    .iter()
                    .zip(&bound)
                    .map(|(site, bound)| site.paths.iter().filter(|path| bound.may_crawl(path)).count())
                    .sum::<usize>(),
            );
        }
    }
}

/// Makes decisions on the corpus, translated to ACAP. For use with a profiler.
fn profile_acap(sites: &[Site], passes: usize) {
    let translated: Vec<Site> = sites.iter().map(acap::translated).collect();
    let crawler = Crawler::named(NAMED);
    let policies: Vec<Policy<'_>> = translated.iter().map(|site| Policy::parse(&site.text)).collect();
    let bound: Vec<_> = policies.iter().map(|policy| policy.bind(&crawler)).collect();
    for _ in 0..passes {
        let each = translated.iter().zip(&bound);
        let count = |(site, bound): (&Site, &byleave::Bound<'_>)| {
            site.paths.iter().filter(|path| bound.may_crawl(path)).count()
        };
        black_box(each.map(count).sum::<usize>());
    }
}

/// Compares protego with Byleave on the same sites and full URLs. Protego runs and is timed in its own process.
fn protego_rows(sites: &[Site], bytes: usize) {
    let Some((parse, decide)) = protego::seconds(sites, NAMED) else {
        println!("protego skipped: it is not installed for python3\n");
        return;
    };
    let crawler = Crawler::named(NAMED);
    let (policies, read) = timed(|| sites.iter().map(|site| Policy::parse(&site.text)).collect::<Vec<_>>());
    let (_, decided) = timed(|| {
        let bound = policies.iter().map(|policy| policy.bind(&crawler)).zip(sites);
        bound.map(|(bound, site)| site.urls.iter().filter(|url| bound.may_crawl(url)).count()).sum::<usize>()
    });
    let urls = sites.len() * 20;
    println!("protego (CPython), {NAMED}");
    println!("  read: {:.1} MB/s, x{:.0}", bytes as f64 / parse / 1e6, parse / read);
    println!("  decide by full URL: {:.1} us, x{:.0}\n", decide / urls as f64 * 1e6, decide / decided);
}

/// One engine in a comparison.
struct Row<'a> {
    engine: &'static str,
    run: Box<dyn FnMut() -> usize + 'a>,
}

fn row<'a>(engine: &'static str, run: impl FnMut() -> usize + 'a) -> Row<'a> {
    Row { engine, run: Box::new(run) }
}

/// Runs the engines in turns. Prints the median CPU time per item and the ratio to Byleave, which is the first engine.
fn compare(title: &str, items: usize, unit: &str, mut rows: Vec<Row<'_>>) {
    let mut times = vec![Vec::with_capacity(ROUNDS); rows.len()];
    for _ in 0..ROUNDS {
        for (row, times) in rows.iter_mut().zip(&mut times) {
            let start = ProcessTime::now();
            black_box((row.run)());
            times.push(start.elapsed().as_secs_f64());
        }
    }
    let median = |times: &mut Vec<f64>| {
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    };
    let medians: Vec<f64> = times.iter_mut().map(median).collect();
    println!("{title}");
    for (row, time) in rows.iter().zip(&medians) {
        let each = time / items as f64;
        let shown = if unit == "MB" {
            format!("{:8.0} MB/s", 1.0 / each / 1e6)
        } else if each < 1e-6 {
            format!("{:8.1} ns", each * 1e9)
        } else {
            format!("{:8.1} us", each * 1e6)
        };
        println!("  {:34} {shown:>14}  x{:.2}", row.engine, time / medians[0]);
    }
    println!();
}

fn reading_rows(sites: &[Site], bytes: usize) {
    let mut compiler = Compiler::new(Reading::Default);
    compare(
        "read and compile (byleave: all crawlers; peers: one)",
        bytes,
        "MB",
        vec![
            row("byleave, one compiler", || sites.iter().map(|site| compiler.compile(&site.text).rule_count()).sum()),
            row("byleave, Policy::parse", || sites.iter().map(|site| Policy::parse(&site.text).rule_count()).sum()),
            row("byleave, owned", || {
                sites.iter().map(|site| Policy::parse(&site.text).into_owned().rule_count()).sum()
            }),
            row("robotxt", || sites.iter().map(|site| robotxt::Robots::parse(&site.text, NAMED).rules().len()).sum()),
            row("texting_robots", || {
                sites.iter().filter(|site| texting_robots::Robot::new(NAMED, &site.text).is_ok()).count()
            }),
        ],
    );
    let mut compiler = Compiler::new(Reading::Default);
    let crawler = Crawler::named(NAMED);
    compare(
        "read, compile and decide once",
        bytes,
        "MB",
        vec![
            row("byleave", || {
                sites
                    .iter()
                    .filter(|site| compiler.compile(&site.text).bind(&crawler).may_crawl(site.paths.get(0)))
                    .count()
            }),
            row("robotxt", || {
                sites
                    .iter()
                    .filter(|site| robotxt::Robots::parse(&site.text, NAMED).is_allowed(site.paths.get(0)))
                    .count()
            }),
            row("texting_robots", || {
                sites
                    .iter()
                    .filter(|site| {
                        texting_robots::Robot::new(NAMED, &site.text)
                            .is_ok_and(|robot| robot.allowed(site.paths.get(0)))
                    })
                    .count()
            }),
            row("robotstxt", || {
                sites
                    .iter()
                    .filter(|site| {
                        robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(
                            &String::from_utf8_lossy(&site.text),
                            NAMED,
                            site.paths.get(0),
                        )
                    })
                    .count()
            }),
        ],
    );
}

fn deciding_rows(sites: &[Site]) {
    let policies: Vec<Policy<'_>> = sites.iter().map(|site| Policy::parse(&site.text)).collect();
    let questions = sites.len() * 20;
    for name in [NAMED, UNNAMED] {
        let crawler = Crawler::named(name);
        let bound: Vec<_> = policies.iter().map(|policy| policy.bind(&crawler)).collect();
        let robotxt: Vec<_> = sites.iter().map(|site| robotxt::Robots::parse(&site.text, name)).collect();
        let texting: Vec<_> = sites.iter().map(|site| texting_robots::Robot::new(name, &site.text).ok()).collect();
        compare(
            &format!("decide by path, corpus order, {name}"),
            questions,
            "ns",
            vec![
                row("byleave, bound", || {
                    sites
                        .iter()
                        .zip(&bound)
                        .map(|(site, bound)| site.paths.iter().filter(|path| bound.may_crawl(path)).count())
                        .sum()
                }),
                row("byleave, bound anew each time", || {
                    sites
                        .iter()
                        .zip(&policies)
                        .map(|(site, policy)| {
                            site.paths.iter().filter(|path| policy.bind(&crawler).may_crawl(path)).count()
                        })
                        .sum()
                }),
                row("robotxt", || {
                    sites
                        .iter()
                        .zip(&robotxt)
                        .map(|(site, robot)| site.paths.iter().filter(|path| robot.is_allowed(path)).count())
                        .sum()
                }),
                row("texting_robots", || {
                    sites
                        .iter()
                        .zip(&texting)
                        .map(|(site, robot)| {
                            site.paths
                                .iter()
                                .filter(|path| robot.as_ref().is_some_and(|robot| robot.allowed(path)))
                                .count()
                        })
                        .sum()
                }),
            ],
        );
        compare(
            &format!("decide by full URL, corpus order, {name}"),
            questions,
            "ns",
            vec![
                row("byleave, bound", || {
                    sites
                        .iter()
                        .zip(&bound)
                        .map(|(site, bound)| site.urls.iter().filter(|url| bound.may_crawl(url)).count())
                        .sum()
                }),
                row("robotxt, url::Url parsed", || {
                    sites
                        .iter()
                        .zip(&robotxt)
                        .map(|(site, robot)| {
                            site.urls
                                .iter()
                                .filter(|url| url::Url::parse(url).is_ok_and(|url| robot.is_url_allowed(&url)))
                                .count()
                        })
                        .sum()
                }),
                row("texting_robots", || {
                    sites
                        .iter()
                        .zip(&texting)
                        .map(|(site, robot)| {
                            site.urls
                                .iter()
                                .filter(|url| robot.as_ref().is_some_and(|robot| robot.allowed(url)))
                                .count()
                        })
                        .sum()
                }),
            ],
        );
        compare(
            &format!("decide by path, hot (20 paths ten times), {name}"),
            questions * 10,
            "ns",
            vec![
                row("byleave, bound", || {
                    sites
                        .iter()
                        .zip(&bound)
                        .map(|(site, bound)| {
                            (0..10)
                                .map(|_| site.paths.iter().filter(|path| bound.may_crawl(path)).count())
                                .sum::<usize>()
                        })
                        .sum()
                }),
                row("robotxt", || {
                    sites
                        .iter()
                        .zip(&robotxt)
                        .map(|(site, robot)| {
                            (0..10)
                                .map(|_| site.paths.iter().filter(|path| robot.is_allowed(path)).count())
                                .sum::<usize>()
                        })
                        .sum()
                }),
            ],
        );
        // Each pass decides one path per policy, so that no policy is in the cache.
        compare(
            &format!("decide by path, cold (one path per policy), {name}"),
            questions,
            "ns",
            vec![
                row("byleave, bound", || {
                    (0..20)
                        .map(|n| {
                            sites.iter().zip(&bound).filter(|(site, bound)| bound.may_crawl(site.paths.get(n))).count()
                        })
                        .sum()
                }),
                row("robotxt", || {
                    (0..20)
                        .map(|n| {
                            sites
                                .iter()
                                .zip(&robotxt)
                                .filter(|(site, robot)| robot.is_allowed(site.paths.get(n)))
                                .count()
                        })
                        .sum()
                }),
            ],
        );
    }
}

fn heap_rows(sites: &[Site], bytes: usize) {
    println!("heap, as a share of the text, and allocations per file");
    let show = |engine: &str, (used, allocations): (usize, usize)| {
        println!("  {engine:34} {:8.2}   {:6.1}", used as f64 / bytes as f64, allocations as f64 / sites.len() as f64)
    };
    let mut compiler = Compiler::new(Reading::Default);
    // Compile every file once, so that the measurements below do not include the compiler's working memory.
    sites.iter().for_each(|site| drop(compiler.compile(&site.text)));
    show(
        "byleave, text borrowed",
        heap::of(|| sites.iter().map(|site| compiler.compile(&site.text)).collect::<Vec<_>>()),
    );
    show(
        "byleave, owned",
        heap::of(|| sites.iter().map(|site| compiler.compile(&site.text).into_owned()).collect::<Vec<_>>()),
    );
    show(
        "byleave, serialized",
        heap::of(|| {
            sites.iter().map(|site| compiler.compile(&site.text).to_bytes().into_boxed_slice()).collect::<Vec<_>>()
        }),
    );
    show(
        "robotxt, one crawler",
        heap::of(|| sites.iter().map(|site| robotxt::Robots::parse(&site.text, NAMED)).collect::<Vec<_>>()),
    );
    show(
        "texting_robots, one crawler",
        heap::of(|| sites.iter().map(|site| texting_robots::Robot::new(NAMED, &site.text).ok()).collect::<Vec<_>>()),
    );
    println!();
}

fn hostile_rows() {
    println!("adversarial files: read and compile, heap as a share of the text, one decision; ratios to byleave");
    for Shape { name, site, too_slow } in corpus::shapes() {
        let crawler = Crawler::named(UNNAMED);
        let (policy, compiled) = timed(|| Policy::parse(&site.text));
        let bound = policy.bind(&crawler);
        let ours = per_path(&site.paths, |path| bound.may_crawl(path)).0;
        let heap = policy.heap_bytes() as f64 / site.text.len() as f64;
        println!("  {name:44} {:8.0} us  heap {heap:4.2}  {:>10}", compiled * 1e6, shown(ours));
        let peer = |engine: &str, read: f64, decide: &dyn Fn(&str) -> bool| {
            let (time, asked) = per_path(&site.paths, decide);
            // Verdicts are compared too, because the speed of a wrong peer means nothing.
            let differ = site.paths.iter().take(asked).filter(|path| decide(path) != bound.may_crawl(path)).count();
            let verdicts = if differ == 0 { String::new() } else { format!("   {differ} of {asked} verdicts differ") };
            let read = read * 1e6;
            println!("    {engine:42} {read:8.0} us             {:>10}   x{:.1}{verdicts}", shown(time), time / ours);
        };
        let (robot, read) = timed(|| robotxt::Robots::parse(&site.text, UNNAMED));
        peer("robotxt", read, &|path| robot.is_allowed(path));
        let (robot, read) = timed(|| texting_robots::Robot::new(UNNAMED, &site.text).ok());
        peer("texting_robots", read, &|path| robot.as_ref().is_some_and(|robot| robot.allowed(path)));
        if !too_slow.contains(&"robotstxt") {
            let text = String::from_utf8_lossy(&site.text);
            peer("robotstxt (reads every time)", 0.0, &|path| {
                robotstxt::DefaultMatcher::default().one_agent_allowed_by_robots(&text, UNNAMED, path)
            });
        }
    }
}

/// Compares the corpus, translated to ACAP, with the original files.
fn acap_rows(sites: &[Site]) {
    let translated: Vec<Site> = sites.iter().map(acap::translated).collect();
    let crawler = Crawler::named(NAMED);
    let plain: Vec<Policy<'_>> = sites.iter().map(|site| Policy::parse(&site.text)).collect();
    let acap: Vec<Policy<'_>> = translated.iter().map(|site| Policy::parse(&site.text)).collect();
    let plain: Vec<_> = plain.iter().map(|policy| policy.bind(&crawler)).collect();
    let acap: Vec<_> = acap.iter().map(|policy| policy.bind(&crawler)).collect();
    let ask = |bound: &[byleave::Bound<'_>]| -> usize {
        let each = sites.iter().zip(bound);
        each.map(|(site, bound)| site.paths.iter().filter(|path| bound.may_crawl(path)).count()).sum()
    };
    compare(
        "decide by path, corpus order: the corpus as ACAP, and unchanged",
        sites.len() * 20,
        "ns",
        vec![row("the corpus as ACAP", || ask(&acap)), row("plain robots.txt", || ask(&plain))],
    );
    let bytes: usize = translated.iter().map(|site| site.text.len()).sum();
    let mut compiler = Compiler::new(Reading::Default);
    let (_, read) = timed(|| translated.iter().map(|site| Policy::parse(&site.text).rule_count()).sum::<usize>());
    println!("read and compile, the corpus as ACAP: {:.0} MB/s", bytes as f64 / read / 1e6);
    let heap = heap::of(|| translated.iter().map(|site| compiler.compile(&site.text)).collect::<Vec<_>>()).0;
    println!("heap as a share of the text: {:.2}\n", heap as f64 / bytes as f64);
    println!("adversarial ACAP: read and compile, heap as a share of the text, one decision");
    for acap::Shape { name, text, paths } in acap::shapes() {
        let (policy, compiled) = timed(|| Policy::parse(&text));
        let bound = policy.bind(&crawler);
        let (time, _) = per_path(&paths, |path| bound.may_crawl(path));
        let heap = policy.heap_bytes() as f64 / text.len() as f64;
        println!("  {name:50} {:8.0} us  heap {heap:4.2}  {:>10}", compiled * 1e6, shown(time));
    }
}

fn timed<T>(run: impl Fn() -> T) -> (T, f64) {
    let mut least = f64::INFINITY;
    let mut made = None;
    for _ in 0..2 {
        let start = Instant::now();
        made = Some(run());
        least = least.min(start.elapsed().as_secs_f64());
    }
    (made.expect("ran"), least)
}

/// Returns the seconds per path (the minimum of several rounds) and the number of paths. If the engine is slow, only
/// the first few paths are used.
fn per_path(paths: &Strings, decide: impl Fn(&str) -> bool) -> (f64, usize) {
    let began = Instant::now();
    black_box(decide(paths.get(0)));
    let asked = if began.elapsed().as_secs_f64() > 1e-4 { paths.count().min(20) } else { paths.count() };
    let mut least = f64::INFINITY;
    let began = Instant::now();
    for round in 0..1000 {
        let start = Instant::now();
        black_box(paths.iter().take(asked).filter(|path| decide(path)).count());
        least = least.min(start.elapsed().as_secs_f64() / asked as f64);
        if round >= 2 && began.elapsed().as_secs_f64() > 0.3 {
            break;
        }
    }
    (least, asked)
}

fn shown(seconds: f64) -> String {
    if seconds < 1e-6 {
        format!("{:.0} ns", seconds * 1e9)
    } else if seconds < 1e-3 {
        format!("{:.1} us", seconds * 1e6)
    } else {
        format!("{:.2} ms", seconds * 1e3)
    }
}
