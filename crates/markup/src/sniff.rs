/// Tags that a text of HTML begins with (WHATWG MIME Sniffing, section 7.1).
const TAGS: [&[u8]; 16] = [
    b"<!doctype html",
    b"<html",
    b"<head",
    b"<script",
    b"<iframe",
    b"<h1",
    b"<div",
    b"<font",
    b"<table",
    b"<a",
    b"<style",
    b"<title",
    b"<b",
    b"<body",
    b"<br",
    b"<p",
];

/// Whether a text, without its mark of an encoding and without blanks before it, begins as HTML does: with one of its tags or a comment.
pub fn begins_html(text: &[u8]) -> bool {
    let is = |tag: &&[u8]| {
        let (name, rest) = text.split_at_checked(tag.len()).unwrap_or_default();
        name.eq_ignore_ascii_case(tag) && rest.first().is_some_and(|&byte| ends_name(byte))
    };
    text.starts_with(b"<!--") || TAGS.iter().any(is)
}

/// Whether a name of a tag ends before this byte: at a blank, as a parser has it, where the standard sniffs for a space, or at `>`.
pub fn ends_name(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n' | b'\x0c' | b'>')
}
