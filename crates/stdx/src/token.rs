/// Whether it is a token: at least one character, none of them a blank, a separator or beyond ASCII (RFC 9110, section 5.6.2).
pub fn is_token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&b))
}

/// The type and the subtype of a media type without its parameters, `text` and `html` of `text/html`. `None` for what is none, such as
/// `text/html charset=utf-8` (MIME Sniffing, 4.4).
pub fn media_type(essence: &str) -> Option<(&str, &str)> {
    essence.split_once('/').filter(|(main, sub)| is_token(main) && is_token(sub))
}
