use super::{Target, names, targets};
use crate::tree::Tree;

#[test]
fn every_test_of_a_suite_is_a_target() {
    let source = "#[test]\nfn one() {}\n\nfn helper() {}\n\n#[test]\nfn two() {\n}\n";
    assert_eq!(names(source).collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn the_tree_has_targets() {
    let all = targets(&Tree::read().unwrap());
    assert!(all.contains(&Target { krate: "page".to_owned(), name: "documents".to_owned() }), "{all:?}");
}
