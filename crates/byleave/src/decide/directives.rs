//! Applies the directives in META tags, `Robots-Tag` and `X-Robots-Tag` on top of fields and ACAP (S-17, S-25).
//!
//! Restrictions from all documents and for all addressees add up, and no permission lifts a restriction. A permissive
//! directive addresses its usage, but it is a permission only if no other statement applies. For some search engines,
//! one directive lifts the prohibition of another (S-48).

use super::{Answer, Recorder, conditions, earlier};
use crate::base::timestamp::Timestamp;
use crate::dialects::robots_directives::Effect;
use crate::model::LostTo;
use crate::model::Source;
use crate::model::StatementId;
use crate::model::Usage;
use crate::model::proposed_use::ProposedUse;
use crate::model::reading::Lifting;
use crate::model::{Outcome, Reason};
use crate::site::Sources;
use crate::site::response::{AddressedDirective, DocumentKind, Response, bit};
use smallvec::SmallVec;

/// The effect of all directives on one crawler's use.
#[derive(Default)]
pub(super) struct DirectiveVerdict {
    /// The prohibiting directives, each with its reason.
    prohibiting: SmallVec<[(StatementId, Reason); 4]>,
    limiting: SmallVec<[(StatementId, Reason); 4]>,
    valid_until: Option<Timestamp>,
    permitting: SmallVec<[(StatementId, Reason); 4]>,
}

/// Prohibiting directives that another directive may lift, and the `nocache` directives that may lift them (S-48).
#[derive(Default)]
struct Lifted {
    prohibiting: SmallVec<[StatementId; 4]>,
    /// The first `nocache` in the headers, in the source and in the DOM.
    nocache: [Option<StatementId>; 3],
}

impl Lifted {
    /// Whether this directive prohibits a usage and another directive may lift the prohibition. If so, stores the
    /// directive. Also stores `nocache` directives.
    fn takes(&mut self, lifting: Lifting, id: StatementId, kind: DocumentKind, entry: &AddressedDirective) -> bool {
        let prohibits = entry.directive.effect == Effect::Prohibits;
        let takes = match lifting {
            Lifting::Nothing => false,
            // A zero value, as in `max-snippet:0`, is also a prohibition. It is never lifted, because no directive
            // permits the same usages. Prohibitions of training are not lifted, because Yandex has no directives for
            // training.
            Lifting::Permissive => {
                prohibits && kind != DocumentKind::Headers && !entry.directive.known.usages.contains(&Usage::TrainAi)
            }
            Lifting::Nocache => {
                if entry.directive.known.name == "nocache" {
                    let [headers, source, dom] = &mut self.nocache;
                    let first = match kind {
                        DocumentKind::Headers => headers,
                        DocumentKind::Source => source,
                        DocumentKind::Dom => dom,
                    };
                    first.get_or_insert(id);
                }
                prohibits && entry.directive.known.name == "noarchive"
            }
        };
        if takes {
            self.prohibiting.push(id);
        }
        takes
    }

    /// Returns the `nocache` that lifts prohibitions. If source and DOM are both supplied, both must contain it (S-25).
    fn nocache(&self, has_both: bool) -> Option<StatementId> {
        let [headers, source, dom] = self.nocache;
        let in_pages = if has_both { source.filter(|_| dom.is_some()) } else { source.or(dom) };
        headers.or(in_pages)
    }
}

/// The effect of one directive on a proposed use.
enum DirectiveEffect {
    Prohibits(fn(StatementId) -> Reason),
    Limits(Option<Timestamp>),
    Permits,
    Nothing,
}

impl DirectiveVerdict {
    pub(super) fn of<R: Recorder>(
        sources: &Sources<'_>,
        proposed: &ProposedUse<'_>,
        usage: &Usage,
        lifting: Lifting,
        recorder: &mut R,
    ) -> Self {
        let mut directives = Self::default();
        let Some(response) = sources.response() else { return directives };
        // Permissions count only if both source and DOM contain them (S-25).
        let mut in_source: SmallVec<[StatementId; 4]> = SmallVec::new();
        let mut in_dom: SmallVec<[StatementId; 4]> = SmallVec::new();
        let mut lifted = Lifted::default();
        each_directive(response, Source::HeadDirectives, proposed, usage, |id, kind, entry, effect| {
            if lifting == Lifting::Permissive
                && kind == DocumentKind::Headers
                && matches!(effect, DirectiveEffect::Permits)
            {
                return;
            }
            recorder.directive(id, usage, None);
            if lifted.takes(lifting, id, kind, entry) {
                return;
            }
            match (effect, kind) {
                (DirectiveEffect::Permits, DocumentKind::Headers) => {
                    directives.permitting.push((id, Reason::PermissiveDirective(id)))
                }
                (DirectiveEffect::Permits, DocumentKind::Source) => in_source.push(id),
                (DirectiveEffect::Permits, DocumentKind::Dom) => in_dom.push(id),
                (effect, _) => directives.add(id, effect),
            }
        });
        let is_in_both = !response.has_source_and_dom() || !in_source.is_empty() && !in_dom.is_empty();
        for id in in_source.into_iter().chain(in_dom) {
            match is_in_both {
                true => directives.permitting.push((id, Reason::PermissiveDirective(id))),
                false => recorder.directive(id, usage, Some(LostTo::NotInBoth)),
            }
        }
        let by = match lifting {
            Lifting::Nothing => None,
            Lifting::Permissive => directives.permitting.first().map(|(id, _)| *id),
            Lifting::Nocache => lifted.nocache(response.has_source_and_dom()),
        };
        for id in lifted.prohibiting {
            match by {
                Some(by) => recorder.directive(id, usage, Some(LostTo::Lifted(by))),
                None => directives.add(id, DirectiveEffect::Prohibits(Reason::Restriction)),
            }
        }
        if let Some(outside) = sources.outside_head() {
            each_directive(outside, Source::BodyDirectives, proposed, usage, |id, _, _, effect| {
                // S-24: only restrictions count here.
                if !matches!(effect, DirectiveEffect::Permits) {
                    recorder.directive(id, usage, None);
                    directives.add(id, effect);
                }
            });
        }
        directives.add_restrictions(sources, proposed, usage, recorder);
        directives
    }

    /// Adds the restrictions by the Robot Exclusion Profile, by links and by search-engine marks, for the element in
    /// question or for the page (S-17, S-26, S-49).
    fn add_restrictions<R: Recorder>(
        &mut self,
        sources: &Sources<'_>,
        proposed: &ProposedUse<'_>,
        usage: &Usage,
        recorder: &mut R,
    ) {
        for (number, page) in sources.elements().into_iter().flatten().enumerate() {
            let (source, element) = (Source::ElementRestrictions(number as u16), sources.asked(number));
            page.each_restriction(element, usage, proposed.capabilities.element_level, |number| {
                let id = StatementId::new(source, number);
                recorder.directive(id, usage, None);
                self.add(id, DirectiveEffect::Prohibits(Reason::Restriction));
            });
        }
    }

    fn add(&mut self, id: StatementId, effect: DirectiveEffect) {
        match effect {
            DirectiveEffect::Prohibits(reason) => self.prohibiting.push((id, reason(id))),
            DirectiveEffect::Limits(end) => {
                self.limiting.push((id, Reason::Limit(id)));
                self.valid_until = earlier(self.valid_until, end);
            }
            DirectiveEffect::Permits | DirectiveEffect::Nothing => {}
        }
    }

    /// Adds a preference that counts in its dialect (S-31).
    pub(super) fn prefer(&mut self, id: StatementId, outcome: Outcome) {
        let list = match outcome {
            Outcome::Prohibited => &mut self.prohibiting,
            Outcome::Conditional => &mut self.limiting,
            Outcome::Permitted => &mut self.permitting,
            Outcome::Unstated => return,
        };
        list.push((id, Reason::Preference(id)));
    }

    /// Whether any directive or preference addresses the usage.
    pub(super) fn is_any(&self) -> bool {
        !(self.prohibiting.is_empty() && self.limiting.is_empty() && self.permitting.is_empty())
    }

    /// Returns the answer after applying the directives to it.
    pub(super) fn combine<R: Recorder>(self, answer: Answer, usage: &Usage, recorder: &mut R) -> Answer {
        // The reported reason must not depend on the order of steps (S-32). Therefore a plain prohibition is preferred
        // to a limit that is not kept.
        let is_limit = |reason: &Reason| !matches!(reason, Reason::Restriction(_) | Reason::Preference(_));
        if let Some((_, reason)) = self.prohibiting.iter().min_by_key(|(id, reason)| (is_limit(reason), *id)) {
            for (id, _) in &self.prohibiting {
                recorder.decides(Outcome::Prohibited, *id, usage);
            }
            return if answer.outcome == Outcome::Prohibited {
                answer
            } else {
                Answer::plain(Outcome::Prohibited, *reason)
            };
        }
        if answer.outcome == Outcome::Prohibited {
            return answer;
        }
        if let Some((_, first)) = self.limiting.iter().min_by_key(|(id, _)| *id) {
            recorder.becomes(answer.outcome, Outcome::Conditional);
            for (id, _) in &self.limiting {
                recorder.decides(Outcome::Conditional, *id, usage);
            }
            let reason = if answer.outcome == Outcome::Unstated { *first } else { answer.reason };
            let valid_until = earlier(answer.valid_until, self.valid_until);
            return Answer { outcome: Outcome::Conditional, reason, valid_until, ..answer };
        }
        match self.permitting.iter().min_by_key(|(id, _)| *id) {
            Some((_, first)) if answer.outcome == Outcome::Unstated => {
                // If the results for the crawler's purposes differ, a permission for one purpose does not make the
                // answer `permitted`. So it is not a reason for the permission by directives.
                recorder.becomes(Outcome::Permitted, Outcome::Unstated);
                for (id, _) in &self.permitting {
                    recorder.decides(Outcome::Permitted, *id, usage);
                }
                Answer::plain(Outcome::Permitted, *first)
            }
            _ => answer,
        }
    }
}

/// Calls `visit` with every directive in a response that addresses the usage and the crawler.
fn each_directive(
    response: &Response,
    source: fn(u16) -> Source,
    proposed: &ProposedUse<'_>,
    usage: &Usage,
    mut visit: impl FnMut(StatementId, DocumentKind, &AddressedDirective, DirectiveEffect),
) {
    let bit = bit(usage);
    for (document, parsed) in (0..).zip(&response.documents) {
        if parsed.usages & bit == 0 {
            continue;
        }
        for (number, entry) in (0..).zip(&parsed.directives) {
            if !entry.directive.known.usages.contains(usage) || !parsed.is_addressed(entry, proposed.crawler) {
                continue;
            }
            match effect(entry, proposed, usage) {
                DirectiveEffect::Nothing => {}
                effect => {
                    visit(StatementId::new(source(document), number), parsed.kind, entry, effect);
                }
            }
        }
    }
}

/// Returns the effect of a directive on the proposed use (S-20, S-29, S-38).
fn effect(entry: &AddressedDirective, proposed: &ProposedUse<'_>, usage: &Usage) -> DirectiveEffect {
    let name = entry.directive.known.name;
    // `max-snippet` is checked in the same way as `max-length`.
    let qualifier = if name == "max-snippet" { "max-length" } else { name };
    let unable = &proposed.capabilities.unable;
    let is_unable = || {
        unable.iter().any(|unable| [name, qualifier, usage.name()].iter().any(|own| unable.eq_ignore_ascii_case(own)))
    };
    match entry.directive.effect {
        Effect::Prohibits => DirectiveEffect::Prohibits(Reason::Restriction),
        Effect::Permits => DirectiveEffect::Permits,
        Effect::Nothing => DirectiveEffect::Nothing,
        Effect::MaxChars(_)
        | Effect::ImagePreviewStandard
        | Effect::VideoPreview(_)
        | Effect::Until(_)
        | Effect::Requires
            if is_unable() =>
        {
            DirectiveEffect::Prohibits(Reason::Unable)
        }
        Effect::MaxChars(most) => {
            let is_longer = proposed.details.snippet.is_some_and(|snippet| conditions::characters(snippet) > most);
            if is_longer { DirectiveEffect::Prohibits(Reason::ConditionBroken) } else { DirectiveEffect::Limits(None) }
        }
        Effect::ImagePreviewStandard | Effect::VideoPreview(_) | Effect::Requires => DirectiveEffect::Limits(None),
        Effect::Until(end) if proposed.at.is_some_and(|at| at >= end) => DirectiveEffect::Prohibits(Reason::Lapsed),
        Effect::Until(end) => DirectiveEffect::Limits(Some(end)),
    }
}
