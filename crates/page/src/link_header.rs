/// The target of a `Link` header (RFC 8288) whose `rel` holds `canonical`.
pub(crate) fn canonical(value: &str) -> Option<&str> {
    let mut rest = value;
    loop {
        let target = &rest[rest.find('<')? + 1..];
        let end = target.find('>')?;
        let (reference, parameters) = (&target[..end], &target[end + 1..]);
        let next = next_link(parameters);
        if is_canonical(&parameters[..next]) {
            return Some(reference.trim());
        }
        rest = &parameters[next..];
    }
}

/// Where the parameters of one link end: at a comma that is not within quotes.
fn next_link(parameters: &str) -> usize {
    let mut quoted = false;
    let separates = |byte: u8| {
        quoted ^= byte == b'"';
        byte == b',' && !quoted
    };
    parameters.bytes().position(separates).unwrap_or(parameters.len())
}

fn is_canonical(parameters: &str) -> bool {
    parameters.split(';').filter_map(|parameter| parameter.split_once('=')).any(|(name, value)| {
        let mut types = value.trim().trim_matches('"').split_ascii_whitespace();
        name.trim().eq_ignore_ascii_case("rel") && types.any(|token| token.eq_ignore_ascii_case("canonical"))
    })
}
