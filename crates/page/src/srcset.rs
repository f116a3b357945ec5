use crate::limits::SRCSET_CANDIDATES;

/// The URLs of a `srcset` (HTML 4.8.4.3.9): each ends at white space, its descriptors at a comma that is not
/// within parentheses.
pub(crate) fn urls(value: &str) -> Vec<&str> {
    let mut urls = Vec::new();
    let mut rest = value;
    while urls.len() < SRCSET_CANDIDATES {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let url = rest[..end].trim_end_matches(',');
        rest = if url.len() < end { &rest[end..] } else { after_descriptors(&rest[end..]) };
        urls.push(url);
    }
    urls
}

fn after_descriptors(text: &str) -> &str {
    let mut in_parentheses = false;
    let ends = |c: char| {
        in_parentheses = c == '(' || in_parentheses && c != ')';
        c == ',' && !in_parentheses
    };
    text.find(ends).map_or("", |at| &text[at..])
}
