//! How many of the URLs that real pages link to are suspected by their form: hardly any.

use crate::judge_shape;
use data_encoding::BASE64;
use std::collections::BTreeSet;
use stdx::Timestamp;
use weburl::Url;

const NOW: Timestamp = Timestamp::from_ms(1_700_000_000_000);

/// Files of the shared data, and the fields of their lines that hold URLs or pages that do.
const LISTS: [(&str, &[&str]); 7] = [
    ("cases/html-links-real.jsonl.gz", &["links"]),
    ("sites/truth.jsonl.gz", &["url"]),
    ("cases/url-traps.jsonl", &["input"]),
    ("cases/robots-real.jsonl.gz", &["q"]),
    ("cases/sitemap-docs.jsonl", &["body"]),
    ("extract/articles.jsonl.gz", &["url", "html"]),
    ("extract/snippets.jsonl.gz", &["url", "html_b64"]),
];

/// Every URL in a value: it is one, is a list of some, or is a page or a sitemap that has some.
fn urls(value: &serde_json::Value, base: &Url, into: &mut BTreeSet<Url>) {
    match value {
        serde_json::Value::Array(values) => values.iter().for_each(|value| urls(value, base, into)),
        serde_json::Value::String(text) if text.len() < 8_000 && text.starts_with("http") => {
            into.extend(Url::parse(text));
        }
        serde_json::Value::String(text) => {
            let page = BASE64.decode(text.as_bytes());
            let text = page.map_or_else(|_| text.clone(), |page| String::from_utf8_lossy(&page).into_owned());
            let links = text.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
            let locs = text.split("<loc>").skip(1).filter_map(|rest| rest.split('<').next());
            into.extend(links.chain(locs).filter_map(|link| base.join(&link.replace("&amp;", "&")).ok()));
        }
        _ => {}
    }
}

#[test]
fn hardly_any_real_url_is_suspected() {
    let nowhere = Url::parse("http://nowhere.example/").unwrap();
    let mut all = BTreeSet::new();
    for (name, fields) in LISTS {
        for line in testdata::lines(name) {
            let base = line["url"].as_str().and_then(|url| Url::parse(url).ok());
            let base = base.as_ref().unwrap_or(&nowhere);
            for &field in fields {
                urls(&line[field], base, &mut all);
            }
        }
    }
    let suspects: Vec<String> = all
        .iter()
        .filter_map(|url| Some(format!("{}: {:.120}", judge_shape(url.as_str(), NOW)?, url.as_str())))
        .collect();
    for suspect in &suspects {
        println!("{suspect}");
    }
    println!("{} of {} URLs are suspected", suspects.len(), all.len());
    assert!(suspects.len() * 2_000 <= all.len(), "{} of {}", suspects.len(), all.len());
}
