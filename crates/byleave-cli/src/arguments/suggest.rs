//! Suggests a known name for a mistyped name.

/// Returns the known name with the smallest edit distance to the word, or a known name that contains the word.
///
/// Letter case is ignored in the distance. Returns `None` if no name is near enough.
pub fn nearest<N: Iterator<Item = &'static str>>(word: &str, names: impl Fn() -> N) -> Option<&'static str> {
    let near = names().map(|name| (edit_distance(word, name), name)).min()?;
    if near.0 <= (word.chars().count() / 3).clamp(1, 3) {
        return Some(near.1);
    }
    names().find(|name| word.len() > 3 && name.contains(word))
}

/// Returns how many letters must be inserted, removed or replaced to turn one word into the other, ignoring case.
///
/// Cost: O(a × b). This is cheap, because the words come from the command line.
fn edit_distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut diagonal = i;
        for (to, above) in b.chars().zip(row.iter_mut().skip(1)) {
            let cost = (diagonal + usize::from(!from.eq_ignore_ascii_case(&to))).min(left + 1).min(*above + 1);
            diagonal = std::mem::replace(above, cost);
            left = cost;
        }
        if let Some(first) = row.first_mut() {
            *first = i + 1;
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_near_name_is_suggested() {
        let names = || ["crawl", "index"].into_iter();
        assert_eq!(nearest("indx", names), Some("index"));
        assert_eq!(nearest("zebra", names), None);
        assert_eq!(edit_distance("kitten", "sitting"), 3);
    }
}
