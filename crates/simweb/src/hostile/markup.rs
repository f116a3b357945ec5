//! Pages that their authors meant badly.

/// Links `count` of which are on one piece of a page, numbered on from piece to piece.
pub(super) fn links(piece: u64, count: u64) -> Vec<u8> {
    (piece * count..(piece + 1) * count).flat_map(|n| format!("<a href=/{n}>").into_bytes()).collect()
}

/// A page whose links are all of an evil kind.
pub(super) fn evil_page() -> Vec<u8> {
    let link = |reference: &str| format!("<a href=\"{reference}\">x</a>\n");
    let long = [
        format!("/{}", "a".repeat(100_000)),
        format!("{}deep", "../".repeat(20_000)),
        format!("/?{}", "a=b&".repeat(20_000)),
        format!("http://{}.test/", "a.".repeat(2_000)),
    ];
    let links: Vec<String> = EVIL.into_iter().chain(long.iter().map(String::as_str)).map(link).collect();
    format!("<title>evil</title>{}<a href=/good>good</a>", links.concat()).into_bytes()
}

const EVIL: [&str; 36] = [
    "javascript:alert(1)",
    "data:text/html,<a href=/inner>",
    "file:///etc/passwd",
    "gopher://evil.test:70/1",
    "ftp://evil.test/",
    "mailto:a@evil.test",
    "view-source:http://evil.test/",
    "//169.254.169.254/latest/meta-data/",
    "http://10.0.0.1/",
    "http://[::1]/",
    "http://[fd00::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://[64:ff9b::a00:1]/",
    "http://167772161/",
    "http://0xa.0.0.1/",
    "http://012.0.0.1/",
    "http://10.1/",
    "http://10.0.0.1./",
    "http://user:password@10.0.0.1/",
    "http://good.test@10.0.0.1/",
    "http://10.0.0.1#@good.test/",
    "http://good.test\\@10.0.0.1/",
    "http://a.test:0/",
    "http://a.test:65536/",
    "http://a.test:-1/",
    "http:///",
    "http://",
    "http://%00/",
    "http://a%0d%0ab.test/",
    "/%0d%0aX-Injected:%20yes",
    "/%00",
    "/a\tb\nc",
    "/%zz%",
    "/\u{202e}gnp.exe",
    "http://xn--a/",
    "http://\u{ff0e}\u{ff0e}/",
];
