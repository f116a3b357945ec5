use super::KeptTypes;

fn check(types: &KeptTypes, content_type: &str, kept: bool) {
    assert_eq!(types.keep_any([content_type.as_bytes()]), kept, "{content_type}");
}

#[test]
fn pages_feeds_and_text_are_kept_by_default() {
    let types = KeptTypes::default();
    for content_type in [
        "text/html",
        "TEXT/HTML; charset=utf-8",
        " text/plain ;x",
        "application/xhtml+xml",
        "application/rss+xml",
        "text/xml",
        "application/xml",
        "text/html, text/html",
    ] {
        check(&types, content_type, true);
    }
    for content_type in
        ["image/png", "application/pdf", "text/css", "image/svg+xml", "video/mp4", "text/htmlx"]
    {
        check(&types, content_type, false);
    }
}

#[test]
fn what_says_nothing_is_kept() {
    let types = KeptTypes::default();
    assert!(types.keep_any([]));
    for content_type in ["", ";", "html", "charset=utf-8", "unknown/unknown", "Application/Unknown; x", "*/*"]
    {
        check(&types, content_type, true);
    }
    assert!(types.keep_any([b"\xff\xfe".as_slice()]));
}

#[test]
fn what_is_no_media_type_says_nothing() {
    for content_type in
        ["text/html charset=utf-8", "text/html: charset=utf-8", "\"image/png\"", "image /png", "image/", "/"]
    {
        check(&KeptTypes::default(), content_type, true);
    }
}

#[test]
fn of_several_one_is_enough() {
    let types = KeptTypes::default();
    let keep = |values: [&str; 2]| types.keep_any(values.map(str::as_bytes));
    assert!(keep(["application/octet-stream", "text/html"]));
    assert!(keep(["text/html", "application/octet-stream"]));
    assert!(!keep(["image/png", "image/jpeg"]));
    assert!(keep(["image/png", "image/jpeg, text/html; charset=utf-8"]));
    assert!(keep(["application/pdf,text/html", ""]));
    assert!(!keep(["image/png;x=\", text/html, \"", ""]), "a comma within quotes ends nothing");
}

#[test]
fn patterns() {
    let types = KeptTypes::new(&["image/*", "Application/PDF", "model/*+zip"]).unwrap();
    for content_type in ["image/png", "application/pdf", "model/x+zip"] {
        check(&types, content_type, true);
    }
    for content_type in ["text/html", "application/pdfx", "model/zip"] {
        check(&types, content_type, false);
    }
    check(&KeptTypes::new(&["*/*"]).unwrap(), "anything/at-all", true);
}

#[test]
fn what_is_no_pattern_is_named() {
    for pattern in ["", "text", "text/", "/html", "text/html; charset=utf-8", "a/b/c"] {
        let error = KeptTypes::new(&["text/html", pattern]).unwrap_err();
        assert!(error.to_string().starts_with(&format!("`{pattern}` is not")), "{error}");
    }
}
