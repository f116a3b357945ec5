/// Whether it is a token: at least one character, none of them a blank, a separator or beyond ASCII (RFC 9110, section 5.6.2).
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&b))
}

/// The members of a list of header values, as they stand between commas outside of quotes (RFC 9110, section 5.6.1).
pub fn list_members(list: &str) -> impl Iterator<Item = &str> {
    let mut is_quoted = false;
    list.split(move |c| {
        is_quoted ^= c == '"';
        c == ',' && !is_quoted
    })
}

/// The type and the subtype of a media type without its parameters, `text` and `html` of `text/html`. `None` for what is none, such as
/// `text/html charset=utf-8` (MIME Sniffing, 4.4).
pub fn media_type(essence: &str) -> Option<(&str, &str)> {
    essence.split_once('/').filter(|(main, sub)| is_token(main) && is_token(sub))
}
