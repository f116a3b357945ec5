//! `count_urls N`: resolves N links, and makes their keys, for `cargo xtask counts`. Every tenth is no plain one.

use std::hint::black_box;
use weburl::{Folding, Key, Url};

const LINKS: [&str; 10] = [
    "/topics/17",
    "../2025/source.html#p17",
    "https://www.example.com/a/b/c?page=2&sort=date",
    "http://other.example.org/",
    "https://cdn.example.net/library/4.2.1/index.html",
    "?page=3",
    "//static.example.com/about",
    "/search?q=river&utm_source=menu&lang=en",
    "https://example.co.uk/products/12345/reviews?sessionid=0123456789abcdef0123456789abcdef",
    "https://EXAMPLE.com:443/a/./b/../c%7e?x=ü y",
];

fn main() {
    let count: usize = std::env::args().nth(1).and_then(|count| count.parse().ok()).expect("how many");
    let base = Url::parse("https://www.example.com/articles/2026/rivers.html").expect("a URL");
    for n in 0..count {
        let url = base.join(black_box(LINKS[n % LINKS.len()])).expect("links are URLs");
        black_box(Key::of(&url, &Folding::ALL).hash(7));
    }
}
