//! Checks the length of snippets against conditions, and shortens texts to fit (S-29).
//!
//! Characters are Unicode scalar values after whitespace is collapsed and trimmed. Words are separated by whitespace.

use crate::model::{Condition, LengthUnit};

/// Whether a snippet's length is within the conditions.
///
/// ```
/// use byleave::model::{Condition, LengthUnit};
/// let conditions = [Condition::MaxLength(3, LengthUnit::Words)];
/// assert!(byleave::extract::is_within("to be,\n  or", &conditions));
/// assert!(!byleave::extract::is_within("to be, or not", &conditions));
/// ```
#[must_use]
pub fn is_within(snippet: &str, conditions: &[Condition]) -> bool {
    let (words, characters) = length_limits(conditions);
    let (mut count, mut length) = (0u64, 0u64);
    for word in snippet.split_whitespace() {
        length += word.chars().count() as u64 + u64::from(count > 0);
        count += 1;
    }
    count <= words && length <= characters
}

/// Returns the longest beginning of a text that the conditions allow, with whitespace collapsed.
///
/// The result consists of whole words, unless the first word alone is too long. In that case, the word is cut.
///
/// ```
/// use byleave::model::{Condition, LengthUnit};
/// let conditions = [Condition::MaxLength(12, LengthUnit::Chars)];
/// assert_eq!(byleave::extract::cut("The harbour  reopens in May", &conditions), "The harbour");
/// ```
#[must_use]
pub fn cut(text: &str, conditions: &[Condition]) -> String {
    let (words, characters) = length_limits(conditions);
    let mut kept = String::new();
    let mut length = 0u64;
    for word in text.split_whitespace().take(usize::try_from(words).unwrap_or(usize::MAX)) {
        let gap = u64::from(!kept.is_empty());
        let more = word.chars().count() as u64 + gap;
        if length + more > characters {
            if kept.is_empty() {
                kept.extend(word.chars().take(usize::try_from(characters).unwrap_or(usize::MAX)));
            }
            break;
        }
        if gap > 0 {
            kept.push(' ');
        }
        kept.push_str(word);
        length += more;
    }
    kept
}

/// Returns the maximum numbers of words and characters.
fn length_limits(conditions: &[Condition]) -> (u64, u64) {
    let of = |unit: LengthUnit| {
        let lengths = conditions.iter().filter_map(move |condition| match condition {
            Condition::MaxLength(most, own) if *own == unit => Some(*most),
            _ => None,
        });
        lengths.min().unwrap_or(u64::MAX)
    };
    (of(LengthUnit::Words), of(LengthUnit::Chars))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s29_what_is_cut_is_within() {
        for text in ["", " ", "a", "one two  three", "ツツツ ツ", "averyveryverylongword and more"] {
            for (most, unit) in
                [(0, LengthUnit::Chars), (1, LengthUnit::Words), (3, LengthUnit::Chars), (9, LengthUnit::Chars)]
            {
                let conditions = [Condition::MaxLength(most, unit)];
                let short = cut(text, &conditions);
                assert!(is_within(&short, &conditions), "{text:?} {most} {short:?}");
                assert!(
                    !is_within(text, &conditions) || short == text.split_whitespace().collect::<Vec<_>>().join(" ")
                );
            }
        }
    }
}
