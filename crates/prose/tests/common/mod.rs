//! The shared pages, how they are read, and the two metrics by which extraction is judged.

use std::collections::BTreeMap;
use std::path::Path;

/// A saved page and what its main text is known to be.
pub(crate) struct Page {
    pub(crate) html: String,
    pub(crate) truth: Truth,
}

/// What is known of a main text.
pub(crate) enum Truth {
    /// All of it.
    Body(String),
    /// Strings that are in it, and strings that are not.
    Snippets { with: Vec<String>, without: Vec<String> },
}

/// The pages of one file of `extract`; nothing, and a line that says so, where the data is absent.
pub(crate) fn pages(name: &str) -> Vec<Page> {
    testdata::lines(Path::new("extract").join(name)).iter().map(page).collect()
}

fn page(case: &serde_json::Value) -> Page {
    let text = |key: &str| case[key].as_str().map(str::to_owned);
    let strings =
        |key: &str| case[key].as_array().into_iter().flatten().filter_map(|s| s.as_str().map(str::to_owned));
    let coded = || {
        case["html_b64"].as_str().map(|coded| data_encoding::BASE64.decode(coded.as_bytes()).expect("base64"))
    };
    Page {
        html: text("html").or_else(|| coded().map(|bytes| decoded(&bytes))).expect("a page"),
        truth: match text("articleBody") {
            Some(body) => Truth::Body(body),
            None => {
                Truth::Snippets { with: strings("with").collect(), without: strings("without").collect() }
            }
        },
    }
}

/// UTF-8, or else what the page declares.
fn decoded(bytes: &[u8]) -> String {
    const HEAD_BYTES: usize = 2048;
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(HEAD_BYTES)]).to_lowercase();
    let declared = head.split("charset=").nth(1).and_then(|rest| {
        let rest = rest.trim_start_matches(['"', '\'']);
        encoding_rs::Encoding::for_label(rest.split(['"', '\'', ' ', '>', ';', '/']).next()?.as_bytes())
    });
    let utf8 = std::str::from_utf8(bytes).is_ok();
    let encoding = declared.filter(|_| !utf8).unwrap_or(encoding_rs::UTF_8);
    encoding.decode(bytes).0.into_owned()
}

/// Precision and recall, as they are summed up.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Score {
    pub(crate) precision: f64,
    pub(crate) recall: f64,
}

impl Score {
    pub(crate) fn f1(self) -> f64 {
        2.0 * self.precision * self.recall / (self.precision + self.recall)
    }
}

/// The mean over pages of the precision and the recall of 4-grams of words (scrapinghub's article-extraction-benchmark).
pub(crate) fn by_ngrams<'p>(pages: impl Iterator<Item = (&'p Page, String)>) -> Score {
    let mut sum = Score::default();
    let mut count = 0.0;
    for (page, text) in pages {
        let Truth::Body(body) = &page.truth else { continue };
        let (wanted, found) = (ngrams(body), ngrams(&text));
        let common = wanted.iter().map(|(gram, times)| times.min(found.get(gram).unwrap_or(&0))).sum::<u32>();
        let share =
            |of: &BTreeMap<Vec<&str>, u32>| f64::from(common) / f64::from(of.values().sum::<u32>().max(1));
        sum.precision += share(&found);
        sum.recall += share(&wanted);
        count += 1.0;
    }
    Score { precision: sum.precision / count, recall: sum.recall / count }
}

fn ngrams(text: &str) -> BTreeMap<Vec<&str>, u32> {
    const N: usize = 4;
    let words: Vec<&str> =
        text.split(|c: char| !(c.is_alphanumeric() || c == '_')).filter(|w| !w.is_empty()).collect();
    let mut grams = BTreeMap::new();
    for gram in words.windows(N.min(words.len().max(1))) {
        *grams.entry(gram.to_vec()).or_default() += 1;
    }
    grams
}

/// Over all snippets of all pages: the wanted among those found, and among those wanted (trafilatura's evaluation).
pub(crate) fn by_snippets<'p>(pages: impl Iterator<Item = (&'p Page, String)>) -> Score {
    let (mut hits, mut wanted, mut unwanted) = (0.0, 0.0, 0.0);
    for (page, text) in pages {
        let Truth::Snippets { with, without } = &page.truth else { continue };
        let found = |snippets: &[String]| {
            snippets.iter().filter(|snippet| text.contains(snippet.as_str())).count() as f64
        };
        hits += found(with);
        wanted += with.len() as f64;
        unwanted += found(without);
    }
    Score { precision: hits / (hits + unwanted), recall: hits / wanted }
}
