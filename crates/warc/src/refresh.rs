use crate::http::{header_lines, is_continuation, is_named, lines, push_line, value_of};
use std::borrow::Cow;

/// What says how the bytes of a stored payload are to be read: a 304 is about another message, its own, which has none.
const OF_THE_PAYLOAD: [&str; 5] =
    ["content-encoding", "content-length", "content-range", "content-type", "transfer-encoding"];

/// What holds for one connection only.
const OF_THE_CONNECTION: [&str; 2] = ["connection", "keep-alive"];

/// The head of a stored response, brought up to date by that of a 304 (RFC 9111, sections 3.2 and 4.3.4): fields that the 304 has take the
/// place of the stored ones of the same name, but for those that are about the bytes of the payload.
pub fn refreshed_head(stored: &[u8], not_modified: &[u8]) -> Vec<u8> {
    let fresh: Vec<Cow<'_, [u8]>> = header_lines(not_modified).filter(|line| is_update(line)).collect();
    let is_outdated = |line: &[u8]| fresh.iter().any(|fresh| is_named(line, name_of(fresh)));
    let mut out = Vec::with_capacity(stored.len() + not_modified.len());
    let mut stored = lines(stored);
    push_line(&mut out, stored.next().unwrap_or_default());
    let mut dropping = false;
    for line in stored {
        if !is_continuation(line) {
            dropping = is_outdated(line);
        }
        if !dropping {
            push_line(&mut out, line);
        }
    }
    for line in fresh {
        push_line(&mut out, &line);
    }
    push_line(&mut out, b"");
    out
}

/// The first value under `name` in a head, byte for byte, unfolded; none where it is empty.
pub fn field<'a>(head: &'a [u8], name: &str) -> Option<Cow<'a, [u8]>> {
    let value = match header_lines(head).find(|line| is_named(line, name))? {
        Cow::Borrowed(line) => Cow::Borrowed(value_of(line)),
        Cow::Owned(line) => Cow::Owned(value_of(&line).to_owned()),
    };
    (!value.is_empty()).then_some(value)
}

fn is_update(line: &[u8]) -> bool {
    let kept = OF_THE_PAYLOAD.iter().chain(&OF_THE_CONNECTION);
    !name_of(line).is_empty() && !kept.into_iter().any(|name| is_named(line, name))
}

/// None where there is no colon.
fn name_of(line: &[u8]) -> &str {
    let colon = line.iter().position(|&byte| byte == b':').unwrap_or(0);
    std::str::from_utf8(&line[..colon]).unwrap_or_default().trim_ascii_end()
}
