//! What an element holds, where that is no text.

use super::Node;
use super::unseen::is_unseen;
use crate::elements::{HEADINGS, PREFORMATTED};
use crate::head::written;
use crate::vocabulary::{LINE_NUMBER_CHARS, LINE_NUMBERS};
use markup::{Attributes, Open, Tag, TagCounts, TagSet, reference};

/// What an element holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Content {
    Any,
    /// What nobody sees: none of it is in the tree.
    Unseen,
    /// What links to where it stands: a mark such as `¶`, unless it turns out to be a word.
    Permalink,
    /// What is called the number of a line of code, if it turns out to be one.
    LineNumber,
}

/// What has links to itself: headings, terms, captions.
const LINKED: TagSet = HEADINGS.with(TagSet::of(&[Tag::Dt, Tag::Caption, Tag::Figcaption]));
/// Nodes of such a link, its icon's included, and of the number of a line.
const NODES_MOST: usize = 8;

impl Content {
    /// Of an element among those that are open.
    pub(super) fn of(element: Open, attributes: &Attributes<'_>, open: &TagCounts) -> Self {
        if is_unseen(element, attributes) {
            Self::Unseen
        } else if open.has_any(PREFORMATTED) && numbers_a_line(element, attributes) {
            Self::LineNumber
        } else if open.has_any(LINKED) && links_to_itself(element, attributes) {
            Self::Permalink
        } else {
            Self::Any
        }
    }

    /// Whether the nodes of an element that ends are no text.
    pub(super) fn is_no_text(self, within: &[Node<'_>]) -> bool {
        let is_none = match self {
            Self::Any | Self::Unseen => return false,
            Self::Permalink => |text: &str| !reference::in_text(text).contains(char::is_alphanumeric),
            Self::LineNumber => {
                |text: &str| text.bytes().all(|b| b.is_ascii_digit() || b.is_ascii_whitespace())
            }
        };
        let mut texts = within.iter().filter(|node| !node.is_element()).map(|node| node.value);
        within.len() <= NODES_MOST && texts.all(is_none)
    }
}

fn links_to_itself(element: Open, attributes: &Attributes<'_>) -> bool {
    element.tag == Tag::A && written(attributes, &["href"]).is_some_and(|href| href.starts_with('#'))
}

/// Whether an element is called the number of a line, or is not copied with it.
fn numbers_a_line(element: Open, attributes: &Attributes<'_>) -> bool {
    const UNCOPIED: &str = "user-select:none";
    let is_named = |word: &str| {
        let name: String = word.chars().filter(char::is_ascii_alphanumeric).take(LINE_NUMBER_CHARS).collect();
        LINE_NUMBERS.contains(&name.to_ascii_lowercase().as_str())
    };
    let says = |names: &[&str], is_so: &dyn Fn(&str) -> bool| written(attributes, names).is_some_and(is_so);
    matches!(element.tag, Tag::Span | Tag::A)
        && (says(&["class"], &|class| class.split_ascii_whitespace().any(is_named))
            || says(&["style"], &|style| style.replace(' ', "").contains(UNCOPIED)))
}
