//! Sites and questions made smaller, one thing at a time: what a difference does not need is left out.

use super::Question;
use super::files::MadeFile;
use super::pages::{MadePage, MadeRobots, MadeSite};

/// The question without all that can be left out while the difference stays.
pub fn plainer_question(mut question: Question, differs: impl Fn(&Question) -> bool) -> Question {
    let plainer: [fn(&mut Question); 13] = [
        |question| question.fallbacks.clear(),
        |question| question.purposes.clear(),
        |question| question.purposes.truncate(1),
        |question| question.capabilities.unable.clear(),
        |question| question.capabilities.has_prior_arrangement = false,
        |question| question.capabilities.reads_not_ready = false,
        |question| question.capabilities.reads_body_meta = false,
        |question| question.capabilities.reads_strawman = false,
        |question| question.details = Default::default(),
        |question| question.first_used = None,
        |question| question.is_recrawled = false,
        |question| question.element = None,
        |question| question.capabilities.lacks_element_level = false,
    ];
    for change in plainer {
        let mut changed = question.clone();
        change(&mut changed);
        if differs(&changed) {
            question = changed;
        }
    }
    question
}

/// The site without one of its documents, lines, METAs or members, in every way.
pub fn smaller_sites(site: &MadeSite) -> Vec<MadeSite> {
    let mut smaller = Vec::new();
    let mut take = |change: &dyn Fn(&mut MadeSite)| {
        let mut without = site.clone();
        change(&mut without);
        smaller.push(without);
    };
    if site.dom.is_some() {
        take(&|site| site.dom = None);
    } else if site.page.is_some() {
        take(&|site| site.page = None);
    }
    if let MadeRobots::File(file) = &site.robots {
        take(&|site| site.robots = MadeRobots::Unknown);
        let of = |site: &mut MadeSite, change: &dyn Fn(&mut MadeFile)| {
            if let MadeRobots::File(file) = &mut site.robots {
                change(file);
            }
        };
        for at in 0..file.lines.len() {
            take(&|site| of(site, &|file| drop(file.lines.remove(at))));
        }
        for (locator, lines) in &file.references {
            for at in 0..lines.len() {
                take(&|site| of(site, &|file| drop(file.references.get_mut(locator).map(|lines| lines.remove(at)))));
            }
        }
    }
    for (at, header) in site.headers.iter().enumerate() {
        take(&|site| drop(site.headers.remove(at)));
        for member in 0..header.members.len() {
            take(&|site| drop(site.headers[at].members.remove(member)));
        }
    }
    for at in 0..site.page.as_ref().map_or(0, |page| page.metas.len()) {
        take(&|site| drop(site.page.as_mut().map(|page| page.metas.remove(at))));
    }
    for at in 0..site.dom.as_ref().map_or(0, |page| page.metas.len()) {
        take(&|site| drop(site.dom.as_mut().map(|page| page.metas.remove(at))));
    }
    // The same METAs, plainly written.
    for style in 0..3 {
        let is_plain = |page: &&MadePage| page.style <= style;
        if site.page.iter().chain(&site.dom).any(|page| !is_plain(&page)) {
            take(&|site| site.page.iter_mut().chain(&mut site.dom).for_each(|page| page.style = style));
        }
    }
    smaller.retain(|smaller| smaller.headers.iter().all(|header| !header.members.is_empty()));
    smaller
}
