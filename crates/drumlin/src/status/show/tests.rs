use super::{clock, left_out};
use std::collections::BTreeMap;

#[test]
fn a_clock_that_was_ahead_once_is_told() {
    assert_eq!(clock(None), "");
    assert!(clock(Some(7_200_000)).starts_with("clock       2 h 00 m behind the crawl's timeline"));
}

#[test]
fn links_that_were_left_out_are_told_by_the_rules_that_did_most() {
    let links = |counts: &[(&str, u64)]| {
        let counts: BTreeMap<String, u64> =
            counts.iter().map(|(rule, links)| ((*rule).to_owned(), *links)).collect();
        left_out(&counts)
    };
    assert_eq!(links(&[]), "");
    assert_eq!(links(&[("nofollow", 1)]), "left out    1 link: 1 nofollow\n");
    assert_eq!(
        links(&[("depth", 2), ("exclude", 7), ("nofollow", 40), ("other-domain", 1_500), ("other-host", 7)]),
        "left out    1,556 links: 1,500 other-domain, 40 nofollow, 7 exclude, 7 other-host, 1 more rule\n"
    );
}
