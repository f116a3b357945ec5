use super::{Suite, Target, names, targets};
use crate::tree::Tree;

#[test]
fn every_test_of_a_suite_is_a_target() {
    let source = "#[test]\nfn one() {}\n\nfn helper() {}\n\n#[test]\nfn two() {\n}\n";
    assert_eq!(names(source).collect::<Vec<_>>(), ["one", "two"]);
}

#[test]
fn the_tree_has_targets() {
    let all = targets(&Tree::read().unwrap());
    let target =
        |krate: &str, suite, name: &str| Target { krate: krate.to_owned(), suite, name: name.to_owned() };
    assert!(all.contains(&target("page", Suite::OfCrate, "documents")), "{all:?}");
    let module = Suite::OfProgram("settings::fuzz".to_owned());
    assert!(all.contains(&target("drumlin", module, "drumlin_toml")), "{all:?}");
}
