//! The names of people.

use crate::vocabulary::BY;

/// Words of the longest name, and its bytes.
const WORDS: usize = 6;
const NAME_BYTES: usize = 100;

/// `By A Name | 3 May` is `A Name`.
pub(super) fn name(line: &str) -> String {
    let line = line.split(['|', '\n', '•', '·', '(', '/']).next().unwrap_or_default().trim();
    let lower = line.to_lowercase();
    let is_rest = |rest: &str| rest.is_empty() || rest.starts_with([' ', ':']);
    let by = BY.iter().find(|by| lower.strip_prefix(**by).is_some_and(is_rest));
    let rest = by.and_then(|by| line.get(by.len()..)).unwrap_or(line);
    rest.trim_matches(|c: char| c.is_whitespace() || matches!(c, ':' | ',' | '-' | '–')).to_owned()
}

/// Whether it is one name, or several that begin as names do.
pub(super) fn are_names(text: &str) -> bool {
    let mut names = text.split([',', ';', '&']).flat_map(|part| part.split(" and ")).map(str::trim);
    let is_one = |name: &str| {
        let name = name.strip_prefix("and ").unwrap_or(name);
        name.is_empty() || is_name(name) && !name.starts_with(char::is_lowercase)
    };
    is_name(text) || text.starts_with(char::is_alphabetic) && names.all(is_one)
}

/// Few words that begin with letters: no address, no sentence.
pub(super) fn is_name(text: &str) -> bool {
    let words = text.split_whitespace().count();
    (1..=WORDS).contains(&words)
        && text.len() <= NAME_BYTES
        && text.chars().next().is_some_and(char::is_alphabetic)
        && !text.contains("://")
        && !text.contains('@')
        && !text.chars().any(|c| c.is_ascii_digit())
}
