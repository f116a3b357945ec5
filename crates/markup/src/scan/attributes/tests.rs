use super::{skip, walk};

/// All that can stand after the name of a tag, of the bytes that mean something there.
#[test]
fn a_tag_that_is_skipped_ends_where_it_would_if_it_were_read() {
    const LONGEST: u32 = 7;
    let bytes = b"a /=>\"'";
    let kinds = bytes.len();
    for count in 0..kinds.pow(LONGEST) {
        let byte = |place: u32| char::from(bytes[count / kinds.pow(place) % kinds]);
        let tag: String = (0..LONGEST).map(byte).collect();
        let (skipped, read) = (skip(&tag), walk(tag.as_bytes(), |_, _| {}));
        assert_eq!((skipped.len, skipped.tag), (read.len, read.tag), "<p{tag}");
    }
}

#[test]
fn a_tag_that_is_skipped_is_known_to_be_hidden() {
    for tag in [
        " hidden>",
        "/HIDDEN/>",
        " a='b'hidden>",
        " a=b Hidden>",
        " a='b' hidden = no>",
        " = hidden>",
        " popover>",
        " a='b' PopOver=manual>",
    ] {
        assert!(skip(tag).hides, "<p{tag}");
    }
    for tag in [
        ">",
        " data-hidden>",
        " data-popover popovertarget=x>",
        " hiddens>",
        " a=' hidden '>",
        " a=hidden>",
        " type=\"hidden\">",
    ] {
        assert!(!skip(tag).hides, "<p{tag}");
    }
}
