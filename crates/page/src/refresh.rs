use weburl::Url;

/// A declared refresh that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refresh {
    /// How long a browser waits first, in milliseconds.
    pub delay_ms: u64,
    /// Where it goes.
    pub url: Url,
}

/// The two parts of `5; url=next.html`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RefreshValue<'a> {
    pub(crate) delay_ms: u64,
    /// The reference as written; nothing where the page is to be loaded again.
    pub(crate) reference: Option<&'a str>,
}

/// The "shared declarative refresh steps" of HTML 4.2.5.3, with the fraction of the time kept.
pub(crate) fn parse(content: &str) -> Option<RefreshValue<'_>> {
    let content = content.trim_start_matches(is_space);
    let end = content.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(content.len());
    let delay_ms = delay_ms(&content[..end])?;
    let rest = &content[end..];
    if rest.is_empty() {
        return Some(RefreshValue { delay_ms, reference: None });
    }
    if !rest.starts_with(|c| is_space(c) || matches!(c, ';' | ',')) {
        return None;
    }
    let rest = rest.trim_start_matches(is_space);
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest).trim_start_matches(is_space);
    let reference = (!rest.is_empty()).then(|| unquoted(without_prefix(rest)));
    Some(RefreshValue { delay_ms, reference })
}

fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{c}')
}

/// Whole seconds and at most three digits after the point.
fn delay_ms(time: &str) -> Option<u64> {
    let (whole, fraction) = time.split_once('.').unwrap_or((time, ""));
    if time.is_empty() {
        return None;
    }
    let seconds = if whole.is_empty() { 0 } else { whole.parse::<u64>().unwrap_or(u64::MAX / 1000) };
    let digits = fraction.bytes().take_while(u8::is_ascii_digit).take(3).map(|b| u64::from(b - b'0'));
    let ms = digits.zip([100, 10, 1]).map(|(digit, worth)| digit * worth).sum();
    Some(seconds.saturating_mul(1000).saturating_add(ms))
}

/// What follows `url =`; the whole where that prefix is not complete.
fn without_prefix(text: &str) -> &str {
    let after = |text: &str| {
        let name = text.get(..3).filter(|name| name.eq_ignore_ascii_case("url"))?;
        let value = text[name.len()..].trim_start_matches(is_space).strip_prefix('=')?;
        Some(text.len() - value.trim_start_matches(is_space).len())
    };
    after(text).map_or(text, |at| &text[at..])
}

fn unquoted(text: &str) -> &str {
    let Some(quote) = text.chars().next().filter(|c| matches!(c, '"' | '\'')) else { return text };
    let inner = &text[1..];
    &inner[..inner.find(quote).unwrap_or(inner.len())]
}
