//! Markup out of numbers and names. Whatever is shown goes through [`escape`].

mod bars;
mod columns;
mod series;

pub(crate) use bars::{Bar, Tone, bars};
pub(crate) use columns::columns;
pub(crate) use series::{Series, series};

use crate::limits::NAME_CHARS;
use stdx::WallTime;

/// What is on one page for itself: a title and a figure under it.
pub(crate) fn card(title: &str, note: &str, body: &str) -> String {
    let note = if note.is_empty() { String::new() } else { format!("<p class=note>{}</p>", escape(note)) };
    format!("<section class=card><h2>{}</h2>{note}{body}</section>\n", escape(title))
}

/// A whole document.
pub(crate) fn document(title: &str, body: &str) -> String {
    const STYLE: &str = include_str!("html/style.css");
    format!(
        "<!doctype html>\n<html lang=en>\n<meta charset=utf-8>\n\
         <meta name=viewport content=\"width=device-width, initial-scale=1\">\n\
         <meta name=color-scheme content=\"light dark\">\n\
         <meta name=generator content=\"drumlin {}\">\n\
         <meta http-equiv=Content-Security-Policy content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n<main>\n{body}</main>\n</html>\n",
        env!("CARGO_PKG_VERSION"),
        escape(title)
    )
}

/// Text in which nothing is markup, and nothing turns the direction of what stands beside it.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if c != '\n' && c.is_control() || is_directional(c) => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// Marks, embeddings, overrides and isolates of the bidirectional algorithm (UAX #9).
fn is_directional(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name that somebody else chose, no longer than is read.
pub(crate) fn name(text: &str) -> String {
    match text.char_indices().nth(NAME_CHARS) {
        Some((end, _)) => format!("{}…", escape(&text[..end])),
        None => escape(text),
    }
}

/// `2026-11-20 10:28:04`, in UTC.
pub(crate) fn moment(ms: u64) -> String {
    WallTime::from_unix_ms(ms).iso_seconds().replace('T', " ").trim_end_matches('Z').to_owned()
}

/// A share in per cent.
pub(crate) fn percent(part: u64, of: u64) -> String {
    let share = 100.0 * part as f64 / of.max(1) as f64;
    match share {
        0.0 => "0 %".to_owned(),
        share if share < 0.1 => "< 0.1 %".to_owned(),
        share if share < 9.95 => format!("{share:.1} %"),
        share => format!("{share:.0} %"),
    }
}
