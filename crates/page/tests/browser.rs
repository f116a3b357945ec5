//! The links of a document beside those of headless Chromium with scripts off, on the pages of the shared data.

use data_encoding::BASE64;
use page::{Document, Header, Place, Settings, parse};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use weburl::Url;

/// Every so many pages are looked at in an ordinary run; a page costs a browser some 100 ms.
const SAMPLE: usize = 8;

const FILES: [&str; 3] =
    ["cases/html-links-real.jsonl.gz", "extract/articles.jsonl.gz", "extract/snippets.jsonl.gz"];

/// A saved page at an address that is nobody's.
struct Saved {
    url: Url,
    content_type: &'static str,
    body: Vec<u8>,
}

impl Saved {
    /// The host is ours, since some browsers know better than to ask certain hosts over http; the path is the page's.
    fn of(case: &Value, number: usize) -> Self {
        let from = Url::parse(case["url"].as_str().unwrap_or_default());
        let path = from.as_ref().map_or("/", |url| url.path());
        let url = Url::parse(&format!("http://page-{number}.test{path}")).expect("a URL");
        let decoded = case["html"].as_str().map(|html| html.as_bytes().to_vec());
        let content_type = if decoded.is_some() { "text/html; charset=utf-8" } else { "text/html" };
        let coded = || BASE64.decode(case["html_b64"].as_str().expect("a page").as_bytes()).expect("base64");
        Self { url, content_type, body: decoded.unwrap_or_else(coded) }
    }

    fn as_json(&self) -> Value {
        json!({ "url": self.url, "type": self.content_type, "body": BASE64.encode(&self.body) })
    }

    fn links(&self) -> BTreeSet<String> {
        let headers = [Header { name: "Content-Type", value: self.content_type }];
        let document = Document { url: &self.url, headers: &headers, body: &self.body[..] };
        let page = parse(&document, &Settings::default());
        let links =
            page.links.iter().filter(|link| link.kind.is_hyperlink() && link.place != Place::Template);
        links.map(|link| link.url.to_string()).collect()
    }
}

fn saved() -> Vec<Saved> {
    let all = FILES.into_iter().flat_map(testdata::lines).enumerate();
    let step = if variable("DRUMLIN_NIGHTLY").is_some() { 1 } else { SAMPLE };
    all.step_by(step).map(|(number, case)| Saved::of(&case, number)).collect()
}

/// The Python environment of `cargo xtask judges`, where there is a browser for it to drive.
fn judge() -> Option<Command> {
    let python = PathBuf::from(variable("DRUMLIN_TOOLS").unwrap_or_default()).join("venv/bin/python");
    let programs = [python.clone(), "/usr/bin/chromium".into(), "/usr/bin/chromedriver".into()];
    let absent = programs.iter().find(|program| !program.is_file());
    if let Some(absent) = absent {
        assert!(variable("CI").is_none_or(|ci| ci != "true"), "there is no {}", absent.display());
        println!("skipped: no {}", absent.display());
        return None;
    }
    let mut command = Command::new(python);
    command.arg("tests/browser.py").stdin(Stdio::piped()).stdout(Stdio::piped());
    Some(command)
}

/// What the browser finds in each.
fn ask(mut judge: Command, pages: &[Saved]) -> Vec<BTreeSet<String>> {
    let mut browser = judge.spawn().expect("the judge starts");
    let mut stdin = browser.stdin.take().expect("piped");
    for page in pages {
        writeln!(stdin, "{}", page.as_json()).expect("the judge reads all its input before it answers");
    }
    drop(stdin);
    let output = browser.wait_with_output().expect("the judge ends");
    assert!(output.status.success(), "the judge: {}", output.status);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("a list of URLs")).collect()
}

#[test]
fn links_of_saved_pages_are_those_of_a_browser() {
    let pages = saved();
    let Some(judge) = judge().filter(|_| !pages.is_empty()) else { return };
    let found = ask(judge, &pages);
    assert_eq!(found.len(), pages.len());
    assert!(found.iter().any(|links| links.len() > 100), "the browser sees links");
    let mut differing = Vec::new();
    for (page, theirs) in pages.iter().zip(&found) {
        let ours = page.links();
        let missing: Vec<_> = theirs.difference(&ours).collect();
        let extra: Vec<_> = ours.difference(theirs).collect();
        if !missing.is_empty() || !extra.is_empty() {
            differing.push(format!("{}: missing {missing:#?}, extra {extra:#?}", page.url));
        }
    }
    println!("links of a browser: {} of {} pages", pages.len() - differing.len(), pages.len());
    assert!(differing.is_empty(), "{}", differing.join("\n"));
}

/// An environment variable.
#[expect(clippy::disallowed_methods, reason = "the suites are told by their runner what there is")]
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}
