//! A file holds one idea; one that grows long holds two.

use super::Finding;
use crate::tree::Tree;

/// Lines from which a file is looked at again.
const LONG: usize = 400;
/// Lines that no file exceeds.
const LIMIT: usize = 500;

/// Files over the limit.
pub(super) fn too_long(tree: &Tree) -> Vec<Finding> {
    longer_than(tree, LIMIT)
}

/// Files that are getting there.
pub(super) fn warnings(tree: &Tree) -> Vec<Finding> {
    longer_than(tree, LONG)
}

fn longer_than(tree: &Tree, limit: usize) -> Vec<Finding> {
    let sized = tree.rust().map(|file| (file, file.text.lines().count()));
    let what = |lines: usize| format!("{lines} lines, more than {limit}: which of its ideas can leave?");
    sized
        .filter(|(_, lines)| *lines > limit)
        .map(|(file, lines)| Finding::new(file, lines, what(lines)))
        .collect()
}
