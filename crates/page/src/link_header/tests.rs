use super::parse;

/// Each link as `reference rel type hreflang anchor`, what is absent as `-`.
#[track_caller]
fn check(value: &str, expected: &[&str]) {
    let shown = |link: super::HeaderLink<'_>| {
        let said = [link.rel, link.media_type, link.hreflang, link.anchor];
        let said = said.map(|value| value.unwrap_or("-".into()).into_owned());
        format!("{} {}", link.reference, said.join(" "))
    };
    assert_eq!(parse(value).map(shown).collect::<Vec<_>>(), expected, "{value}");
}

#[test]
fn one_header_holds_several_links() {
    check("<a>; rel=next, <b>;rel=\"prev\"", &["a next - - -", "b prev - - -"]);
    check("<a>,<b> , , <c>", &["a - - - -", "b - - - -", "c - - - -"]);
    check("< /x?a,b;c >", &["/x?a,b;c - - - -"]);
    check("<>; rel=canonical", &[" canonical - - -"]);
}

#[test]
fn parameters_are_read_in_any_case_quoted_or_not() {
    check("<a> ; REL = \"next, <x>; y\" ; Type=text/html", &["a next, <x>; y text/html - -"]);
    check(r#"<a>; title="a \" <b>; \\"; rel=next"#, &["a next - - -"]);
    check(r#"<a>; rel="n\ext""#, &["a next - - -"]);
    check("<a>; hreflang=de; hreflang=en; anchor=\"#x\"", &["a - - de #x"]);
    check("<a>; rel; type=", &["a   - -"]);
}

#[test]
fn what_is_repeated_counts_once() {
    check("<a>; rel=next; rel=canonical", &["a next - - -"]);
}

#[test]
fn what_is_broken_costs_itself_only() {
    check("", &[]);
    check("rel=next", &[]);
    check("<a", &[]);
    check("a, \"<b>\", c; <d>, <e>; rel=next", &["d - - - -", "e next - - -"]);
    check("<a>; rel=\"next", &["a next - - -"]);
    check("<a>; rel=\"next\\", &["a next - - -"]);
    check("<a> x; rel=next, <b>", &["a - - - -", "b - - - -"]);
    check("<a>;;; rel=next;", &["a next - - -"]);
    check("é<é>é; é=é, <ü>; rel=é", &["é - - - -", "ü é - - -"]);
}
