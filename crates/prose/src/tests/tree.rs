use crate::limits::DEPTH;
use crate::tree::{Kind, NodeId, Tree, build};
use markup::Dialect;
use std::fmt::Write as _;

/// `p(a)` is an `a` within a `p`.
fn shown(tree: &Tree<'_>, id: NodeId) -> String {
    let node = &tree[id];
    if node.kind != Kind::Element {
        return format!("\"{}\"", node.value);
    }
    let mut text = format!("{:?}", node.tag).to_lowercase();
    let children: Vec<String> = tree.children(id).map(|child| shown(tree, child)).collect();
    if !children.is_empty() {
        let _ = write!(text, "({})", children.join(" "));
    }
    text
}

fn check(html: &str, expected: &str) {
    let tree = build(html, Dialect::Html).tree;
    tree.check_invariants();
    let found: Vec<String> = tree.children(NodeId::ROOT).map(|child| shown(&tree, child)).collect();
    assert_eq!(found.join(" "), expected, "{html}");
}

#[test]
fn start_tags_end_what_cannot_hold_them() {
    check("<p>a<p>b", r#"p("a") p("b")"#);
    check("<p>a<div>b</div>c", r#"p("a") div("b") "c""#);
    check("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", r#"ul(li("a") li("b" ul(li("c"))) li("d"))"#);
    check("<dl><dt>a<dd>b<dt>c</dl>", r#"dl(dt("a") dd("b") dt("c"))"#);
    check("<table><tr><td>a<td>b<tr><th>c</table>d", r#"table(tr(td("a") td("b")) tr(th("c"))) "d""#);
    check("<h2>a<h3>b</h3>c", r#"h2("a") h3("b") "c""#);
    check("<p>a<table><tr><td><p>b</table>", r#"p("a") table(tr(td(p("b"))))"#);
    check("<select><option>a<input><p>b", r#"select input p("b")"#);
}

#[test]
fn end_tags_reach_no_further_than_they_may() {
    check("<div>a</section>b</div>c", r#"div("a" "b") "c""#);
    check("<div><table><tr><td>a</div>b</table>c</div>", r#"div(table(tr(td("a" "b"))) "c")"#);
    check("<b>a<div>b</b>c</div>d", r#"b("a" div("b" "c")) "d""#);
    check("<a href=x><div>a</a></div>b", r#"a(div("a")) "b""#);
    check("</p>a</br>b", r#""a" "b""#);
}

#[test]
fn what_ends_a_widget_is_its_end_tag() {
    check("<div><select><option>a<option>b</select>c</div>d", r#"div(select "c") "d""#);
    for tag in ["button", "object"] {
        check(&format!("<div><{tag}><div>a</{tag}>b</div>c"), &format!(r#"div({tag}(div("a")) "b") "c""#));
    }
}

#[test]
fn elements_of_html_end_foreign_ones() {
    check("<svg><g>a<p>b</p>c</svg>d", r#"svg p("b") "c" "d""#);
    check("<svg><foreignobject><p>a</svg>b", r#"svg "b""#);
    check("<p><math><mi>a<b>b</b></mi><mo>c</math><svg></p>d", r#"p(math(mi("a" b("b")) mo("c")) svg) "d""#);
    check("<svg><g>a</p>b", r#"svg "b""#);
}

#[test]
fn what_nobody_sees_is_no_part_of_it() {
    for tag in ["select", "datalist", "video", "audio", "canvas", "template", "svg"] {
        check(&format!("a<{tag}><title>b</title>c</{tag}>d"), &format!(r#""a" {tag} "d""#));
    }
    check("a<video><p>b</video>c", r#""a" video "c""#);
    check("<math>a<annotation>b</annotation>c</math>", r#"math("a" annotation "c")"#);
    check("<template shadowrootmode=open>a</template>", r#"template("a")"#);
    check("a<span hidden>b<i>c</i><div>d</span>e", r#""a" span "e""#);
    check("<p>a<span hidden>b<p>c", r#"p("a" span) p("c")"#);
    check("<span hidden=until-found>a</span><p hidden>b<table>", r#"span("a") p("b") table"#);
}

#[test]
fn the_head_and_raw_text_are_no_part_of_it() {
    check(
        "<html><head><title>t</title><meta name=a content=b></head><body>a<script>b</script></html>",
        r#""a""#,
    );
    check("<style>a</style><textarea>b</textarea>c", r#"textarea "c""#);
    check("<br>a<img>b<hr>", r#"br "a" img "b" hr"#);
}

#[test]
fn nesting_ends_where_browsers_would_end_it() {
    let deep = "<div>".repeat(10 * DEPTH) + "a" + &"</div>".repeat(10 * DEPTH);
    let tree = build(&deep, Dialect::Html).tree;
    tree.check_invariants();
    let text = tree.ids().find(|id| tree[*id].kind == Kind::Text).unwrap();
    assert_eq!(tree.ancestors(text).count(), DEPTH + 1);
}

#[test]
fn elements_of_xml_may_be_empty() {
    let tree = build("<html><head><title/><script src='a'/></head><p>a<i/>b</p></html>", Dialect::Xml).tree;
    tree.check_invariants();
    let found: Vec<String> = tree.children(NodeId::ROOT).map(|child| shown(&tree, child)).collect();
    assert_eq!(found.join(" "), r#"p("a" i "b")"#);
}

#[test]
fn nothing_of_a_script_is_shown_in_xml_either() {
    let html = "<html><p>a</p><script>w('<b>x</b>'); y</script><p>b</p></html>";
    let tree = build(html, Dialect::Xml).tree;
    let found: Vec<String> = tree.children(NodeId::ROOT).map(|child| shown(&tree, child)).collect();
    assert_eq!(found.join(" "), r#"p("a") p("b")"#);
}
