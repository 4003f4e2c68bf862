//! Proposes fixes for the engine's diagnostics in robots.txt, by code.
//!
//! Each fix is safe or declares what it changes. `crate::fix` checks the declarations later.

use super::reach::min_length;
use crate::context::{RobotsTxtContext, excerpt};
use crate::finding::{AllowedChange, Edit, Fix, Safety};
use byleave::analysis::robots_txt::Line;
use byleave::analysis::source::Span;
use byleave::analysis::vocabulary::{Field, Role};
use byleave::diagnostic::Code;
use byleave::{Outcome, Reading};

/// Returns the fix for a diagnostic at this place, if there is one.
pub(crate) fn fix(context: &RobotsTxtContext<'_>, code: Code, span: Span) -> Option<Fix> {
    match code {
        Code::ByteOrderMark => Fix::new(Safety::Safe, [Edit::new(0, span.range().end, "")]),
        Code::MisspeltField => misspelt_field(context, span),
        Code::MissingColon => missing_colon(context, span),
        Code::SlashlessPattern => slashless_pattern(context, span),
        Code::EmptyGroup => empty_group(context, span),
        Code::OrphanRule => orphan_rule(context, span),
        Code::UnknownField => unknown_field(context, span),
        Code::OddName => odd_name(context, span),
        Code::LeadingStar => leading_star(context, span),
        // For other diagnostics, only the publisher knows what was intended.
        _ => None,
    }
}

/// The readings that do not accept every mistake that the default reading accepts.
const UNFORGIVING: &[Reading] = &[Reading::Strict, Reading::Rfc9309, Reading::Google];

fn misspelt_field(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let (line, field) = context.field_at(span)?;
    let name = excerpt(context.text.get(line.name.0..line.name.1)?);
    let effect = format!("crawlers that do not accept `{name}` will then obey this line too");
    let safety = Safety::Suggested { effect, allowed: AllowedChange::Readings(UNFORGIVING) };
    Fix::new(safety, [Edit::new(line.name.0, line.name.1, field.name())])
}

fn missing_colon(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let (line, _) = context.field_at(span)?;
    let effect = "crawlers that do not accept a missing colon will then obey this line too".to_owned();
    let safety = Safety::Suggested { effect, allowed: AllowedChange::Readings(UNFORGIVING) };
    Fix::new(safety, [Edit::new(line.name.1, line.value.0, ": ")])
}

fn slashless_pattern(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let (line, field) = context.field_at(span)?;
    let pattern = context.value(line);
    let is_path = pattern.first().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(byte));
    let is_url = pattern.contains(&b':');
    (is_path && !is_url).then(|| {
        let safety =
            Safety::Suggested { effect: starts_to(field, pattern), allowed: AllowedChange::ToOutcome(outcome(field)) };
        Fix::new(safety, [Edit::new(line.value.0, line.value.0, "/")])
    })?
}

fn starts_to(field: Field, pattern: &[u8]) -> String {
    let verb = if field == Field::Allow { "permits" } else { "prohibits" };
    format!("the rule will then take effect: it {verb} `/{}`", excerpt(pattern).trim_start_matches('/'))
}

fn outcome(field: Field) -> Outcome {
    if field == Field::Allow { Outcome::Permitted } else { Outcome::Prohibited }
}

/// Adds an empty rule, which makes explicit that a group without rules restricts nothing.
fn empty_group(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let from = context.fields().skip_while(|(line, _)| line.name.0 < span.range().start);
    let names = from.take_while(|(_, field)| field.role() != Role::AcapNames);
    let (line, _) = names.filter(|(_, field)| field.role() == Role::Names).last()?;
    Fix::new(Safety::Safe, [context.line_after(line, "Disallow:")])
}

/// Adds a `User-agent` line above the first orphan rule. The line covers all orphan rules, so the others get no fix.
fn orphan_rule(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let (line, _) = context.field_at(span)?;
    let is_first = context.fields().find(|(_, field)| field.role() == Role::Rule)?.0.start == line.start;
    let effect = "the rule will then bind every crawler that has no group of its own".to_owned();
    let safety = Safety::Suggested { effect, allowed: AllowedChange::UnnamedCrawlers };
    let edit = Edit::new(line.name.0, line.name.0, [b"User-agent: *", context.line_end()].concat());
    is_first.then(|| Fix::new(safety, [edit]))?
}

fn unknown_field(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let line = context.line_at(span)?;
    let written = context.text.get(line.name.0..line.name.1)?;
    let field = Field::nearest(written)?;
    let name = field.name();
    let (effect, allowed) = match field.role() {
        Role::Rule => (starts_to(field, context.value(line)), AllowedChange::ToOutcome(outcome(field))),
        Role::SiteFact | Role::GroupFact => {
            (format!("crawlers that support `{name}` will then see it"), AllowedChange::Facts)
        }
        // Correcting a line with a crawler's name would change which crawlers the rules below it bind. Only the
        // publisher knows what was intended.
        Role::Names | Role::AcapNames | Role::Acap => return None,
        _ => return None,
    };
    Fix::new(Safety::Suggested { effect, allowed }, [Edit::new(line.name.0, line.name.1, name)])
}

/// Removes a version after a name, or text after `*`. Neither is compared with crawler names.
fn odd_name(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let (line, _) = context.field_at(span)?;
    let written = context.value(line);
    let name = match written.iter().position(|byte| *byte == b'/') {
        _ if written.starts_with(b"*") => b"*",
        Some(at) => {
            let (name, version) = written.split_at(at);
            let is_token = name.iter().all(|byte| byte.is_ascii_alphabetic() || b"_-".contains(byte));
            let is_version = version.iter().skip(1).all(|byte| byte.is_ascii_digit() || *byte == b'.');
            (is_token && is_version && !name.is_empty()).then_some(name)?
        }
        None => return None,
    };
    Fix::new(Safety::Safe, [Edit::new(line.value.0, line.value.1, name)])
}

/// Adds a `/` before a leading `*`, unless a `/` follows the star. The star must match the first `/` of a path anyway.
fn leading_star(context: &RobotsTxtContext<'_>, span: Span) -> Option<Fix> {
    let (line, _) = context.field_at(span)?;
    let pattern = context.value(line);
    let rest =
        pattern.iter().position(|byte| *byte != b'*').map_or(&b""[..], |at| pattern.get(at..).unwrap_or_default());
    if rest.is_empty() {
        return Fix::new(Safety::Safe, [Edit::new(line.value.0, line.value.1, "/")]);
    }
    if rest.starts_with(b"/") {
        return None;
    }
    let rank = min_length(pattern);
    let is_irrelevant = context.is_length_irrelevant(context.rule_at(line)?, rank..=rank + 1);
    is_irrelevant.then(|| Fix::new(Safety::Safe, [Edit::new(line.value.0, line.value.0, "/")]))?
}

/// Returns the edit that removes a line, or `None` if a comment would be lost.
pub(crate) fn without_line(line: &Line) -> Option<Edit> {
    (line.comment == line.end).then(|| Edit::new(line.start, line.next, ""))
}
