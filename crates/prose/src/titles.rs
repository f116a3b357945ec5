//! Titles as they are written: with the name of the site before or behind them, or without.

/// What stands between a title and the name of a site.
const BETWEEN: [char; 8] = ['|', '-', '–', '—', '·', ':', '»', '•'];

/// Whether a title is this, before or behind the name of a site.
pub(crate) fn is_part(title: &str, part: &str) -> bool {
    let behind = title.strip_prefix(part).and_then(|rest| rest.strip_prefix(' '));
    let before = title.strip_suffix(part).and_then(|rest| rest.strip_suffix(' '));
    title == part
        || behind.is_some_and(|rest| rest.starts_with(BETWEEN))
        || before.is_some_and(|rest| rest.ends_with(BETWEEN))
}

/// `A title | The site` is `A title`; nothing where the name of the site is no end of it, or all.
pub(crate) fn without_site<'t>(title: &'t str, site: &str) -> Option<&'t str> {
    let title = title.strip_suffix(site)?.trim_end().strip_suffix(BETWEEN)?.trim_end();
    (!title.is_empty()).then_some(title)
}

/// Letters and digits only, in lower case: titles differ in what is between.
pub(crate) fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}
