//! The language of a text: by letters that only one has, by statistics, by function words.

mod codes;
mod east_asian;
mod letters;
mod lists;
mod neighbours;
mod words;

pub use codes::iso_639_3;

use crate::limits::{LANGUAGE_CHARS, LANGUAGE_LETTERS};
use east_asian::EastAsian;
use serde::{Deserialize, Serialize};
use stdx::is_letter;
use whatlang::{Lang, Script};

/// The language of a text.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Language {
    /// ISO 639-1, `en`.
    pub iso_639_1: &'static str,
    /// ISO 639-3, `eng`, as WET writes it.
    pub iso_639_3: &'static str,
    /// 0 to 1.
    pub confidence: f32,
    /// Whether it may be relied on.
    pub reliability: Reliability,
}

/// How far a detection may be trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reliability {
    /// The second-best language is far behind, or the script has one language only.
    Reliable,
    /// The best of several that fit.
    Guess,
}

/// Two codes of one language: ISO 639-1, ISO 639-3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Code(&'static str, &'static str);

/// Detects the language of a text by its first 2,000 characters; where it has long lines, by those: short
/// ones are menus. Nothing where there are no letters, or too few to tell.
pub fn detect(text: &str) -> Option<Language> {
    let sample = sample(text);
    let east_asian = EastAsian::of(&sample);
    if let Some(code) = east_asian.prevails() {
        return Some(certain(code));
    }
    let words = words::Tally::of(&sample);
    // Statistics take ten times as long as letters and words together, which are enough for four pages in five.
    if let Some(code) = words.decided().or_else(|| letters::language(&sample)) {
        return Some(certain(neighbours::nearest(code, &sample)));
    }
    // The words of nobody's language around it are code, names and numbers, of which statistics would make one.
    if let Some(code) = east_asian.occurs() {
        return Some(Language { confidence: EVEN, reliability: Reliability::Guess, ..certain(code) });
    }
    let info = whatlang::detect(&sample)?;
    // No language has the accents of Vietnamese by chance.
    if info.script() == Script::Latin
        && info.lang() != Lang::Vie
        && let Some(code) = words.unknown_to_statistics()
    {
        return Some(certain(code));
    }
    if !info.is_reliable() && is_short(&sample) {
        return None;
    }
    let told = Code(iso_639_1(info.lang()), info.lang().code());
    let code = neighbours::nearest(told, &sample);
    let found = Language { confidence: info.confidence() as f32, ..certain(code) };
    // Names and labels, as of the listing of a directory, have no function words, and no text is without.
    if words.lack(told) {
        return Some(Language {
            confidence: found.confidence.min(EVEN),
            reliability: Reliability::Guess,
            ..found
        });
    }
    let reliability = if info.is_reliable() { Reliability::Reliable } else { Reliability::Guess };
    Some(Language { reliability, ..found })
}

/// As likely as not.
const EVEN: f32 = 0.5;

fn is_short(sample: &str) -> bool {
    sample.chars().filter(|c| is_letter(*c)).nth(LANGUAGE_LETTERS - 1).is_none()
}

fn certain(code: Code) -> Language {
    Language { iso_639_1: code.0, iso_639_3: code.1, confidence: 1.0, reliability: Reliability::Reliable }
}

fn sample(text: &str) -> String {
    const LONG_LINE_BYTES: usize = 80;
    let is_long = |line: &&str| line.len() >= LONG_LINE_BYTES;
    let mut sample = Sample {
        text: String::with_capacity(text.len().min(LANGUAGE_CHARS + LANGUAGE_CHARS / 4)),
        room: LANGUAGE_CHARS,
    };
    sample.take(text.lines().filter(is_long));
    if sample.room > LANGUAGE_CHARS / 2 {
        sample.take(text.lines().filter(|line| !is_long(line)));
    }
    sample.text
}

struct Sample {
    text: String,
    /// Characters that may follow.
    room: usize,
}

impl Sample {
    /// As many lines as there is room for, the last of them cut.
    fn take<'a>(&mut self, mut lines: impl Iterator<Item = &'a str>) {
        while self.room > 0
            && let Some(line) = lines.next()
        {
            let end = line.char_indices().nth(self.room).map_or(line.len(), |(end, _)| end);
            self.room -= line[..end].chars().count();
            self.text.push_str(&line[..end]);
            if self.room > 0 {
                self.text.push('\n');
            }
        }
    }
}

/// `nb` is written `no`, as corpora do; Akan has `ak`.
fn iso_639_1(lang: Lang) -> &'static str {
    match lang {
        Lang::Epo => "eo",
        Lang::Eng => "en",
        Lang::Rus => "ru",
        Lang::Cmn => "zh",
        Lang::Spa => "es",
        Lang::Por => "pt",
        Lang::Ita => "it",
        Lang::Ben => "bn",
        Lang::Fra => "fr",
        Lang::Deu => "de",
        Lang::Ukr => "uk",
        Lang::Kat => "ka",
        Lang::Ara => "ar",
        Lang::Hin => "hi",
        Lang::Jpn => "ja",
        Lang::Heb => "he",
        Lang::Yid => "yi",
        Lang::Pol => "pl",
        Lang::Amh => "am",
        Lang::Jav => "jv",
        Lang::Kor => "ko",
        Lang::Nob => "no",
        Lang::Dan => "da",
        Lang::Swe => "sv",
        Lang::Fin => "fi",
        Lang::Tur => "tr",
        Lang::Nld => "nl",
        Lang::Hun => "hu",
        Lang::Ces => "cs",
        Lang::Ell => "el",
        Lang::Bul => "bg",
        Lang::Bel => "be",
        Lang::Mar => "mr",
        Lang::Kan => "kn",
        Lang::Ron => "ro",
        Lang::Slv => "sl",
        Lang::Hrv => "hr",
        Lang::Srp => "sr",
        Lang::Mkd => "mk",
        Lang::Lit => "lt",
        Lang::Lav => "lv",
        Lang::Est => "et",
        Lang::Tam => "ta",
        Lang::Vie => "vi",
        Lang::Urd => "ur",
        Lang::Tha => "th",
        Lang::Guj => "gu",
        Lang::Uzb => "uz",
        Lang::Pan => "pa",
        Lang::Aze => "az",
        Lang::Ind => "id",
        Lang::Tel => "te",
        Lang::Pes => "fa",
        Lang::Mal => "ml",
        Lang::Ori => "or",
        Lang::Mya => "my",
        Lang::Nep => "ne",
        Lang::Sin => "si",
        Lang::Khm => "km",
        Lang::Tuk => "tk",
        Lang::Aka => "ak",
        Lang::Zul => "zu",
        Lang::Sna => "sn",
        Lang::Afr => "af",
        Lang::Lat => "la",
        Lang::Slk => "sk",
        Lang::Cat => "ca",
        Lang::Tgl => "tl",
        Lang::Hye => "hy",
        Lang::Cym => "cy",
    }
}

#[cfg(test)]
mod tests;
