//! What pages are made of, beside saved pages of the real web: what a crawler's parser meets must be what it would meet there.

use super::get;
use crate::{HostId, Scheme, Web, WebConfig, What};
use libdeflater::{CompressionLvl, Compressor};

/// Of a page's bytes.
#[derive(Debug)]
struct Composition {
    style: f64,
    script: f64,
    /// Tags outside of these.
    tags: f64,
    /// What is between them, but for blanks.
    text: f64,
    blanks: f64,
    /// What gzip leaves.
    compressed: f64,
}

/// Of the saved pages that `html/unread.rs` names.
const SAVED: Composition =
    Composition { style: 0.189, script: 0.282, tags: 0.00892, text: 0.054, blanks: 0.078, compressed: 0.192 };

#[test]
fn pages_are_made_of_what_saved_pages_are_made_of() {
    let web = Web::new(WebConfig::realistic(11, 100_000));
    let mut all = String::new();
    let mut compressed = 0;
    for index in 0..200 {
        let host = HostId::www(index % 20);
        let place = web.place(&web.root_of(host)).unwrap();
        let url = web.url_of(&place.with(What::Page(u64::from(index) % web.pages_of(host))));
        let parsed = url::Url::parse(&url).unwrap();
        let body = web.respond(&get(parsed.host_str().unwrap(), parsed.path(), Scheme::Http)).body;
        compressed += gzip_bytes(&body);
        all.push_str(&String::from_utf8_lossy(&body));
    }
    let made = composition(&all, compressed);
    for (name, made, saved) in [
        ("style", made.style, SAVED.style),
        ("script", made.script, SAVED.script),
        ("tags", made.tags, SAVED.tags),
        ("text", made.text, SAVED.text),
        ("blanks", made.blanks, SAVED.blanks),
        ("compressed", made.compressed, SAVED.compressed),
    ] {
        assert!((made / saved - 1.0).abs() < 0.1, "{name}: {made} of the made, {saved} of the saved");
    }
}

fn composition(pages: &str, compressed: usize) -> Composition {
    let (style, rest) = without(pages, "<style>", "</style>");
    let (script, rest) = without(&rest, "<script>", "</script>");
    let share = |bytes: usize| bytes as f64 / pages.len() as f64;
    let pieces = rest.split('<').skip(1).filter(|piece| !piece.starts_with('!'));
    let text: Vec<&str> = pieces.map(|piece| piece.split_once('>').map_or("", |(_, after)| after)).collect();
    let all: usize = text.iter().map(|text| text.len()).sum();
    let words: usize = text.iter().flat_map(|text| text.split_whitespace()).map(str::len).sum();
    Composition {
        style: share(style),
        script: share(script),
        tags: share(text.len()),
        text: share(words),
        blanks: share(all - words),
        compressed: share(compressed),
    }
}

/// How many bytes are between two tags, these included, and what is left.
fn without(pages: &str, open: &str, close: &str) -> (usize, String) {
    let mut rest = String::new();
    for piece in pages.split(open) {
        rest.push_str(piece.split_once(close).map_or(piece, |(_, after)| after));
    }
    (pages.len() - rest.len(), rest)
}

fn gzip_bytes(body: &[u8]) -> usize {
    let mut gzip = Compressor::new(CompressionLvl::default());
    let mut out = vec![0; gzip.gzip_compress_bound(body.len())];
    gzip.gzip_compress(body, &mut out).unwrap()
}
