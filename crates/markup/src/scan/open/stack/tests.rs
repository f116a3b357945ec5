use super::{Kind, Node, Stack};
use crate::limits::DEPTH;
use crate::tag::{Label, Tag, TagSet};

const PARAGRAPH: TagSet = TagSet::of(&[Tag::P]);

fn stack(nodes: &[(Tag, Kind)]) -> Stack {
    let mut stack = Stack::default();
    for (tag, kind) in nodes {
        stack.push(Node::new(Label::of_listed(*tag), *kind));
    }
    stack
}

/// How many are looked at before it is known that there is none.
fn looked_at(stack: &Stack, tags: TagSet) -> usize {
    let looked_at = std::cell::Cell::new(0);
    let found = stack.innermost(tags, |_| {
        looked_at.set(looked_at.get() + 1);
        false
    });
    assert_eq!(found, None);
    looked_at.get()
}

#[test]
fn what_is_not_open_is_not_looked_for() {
    let deep = stack(&[(Tag::Optgroup, Kind::Html); DEPTH]);
    assert_eq!(looked_at(&deep, PARAGRAPH), 0);
    let foreign = stack(&[(Tag::P, Kind::Svg); DEPTH]);
    assert_eq!(looked_at(&foreign, PARAGRAPH), 0, "there it is none of HTML's");
}

#[test]
fn what_is_closed_is_no_longer_open() {
    let nodes = [(Tag::P, Kind::Html), (Tag::P, Kind::Svg), (Tag::P, Kind::Html), (Tag::Div, Kind::Html)];
    let closings: [fn(&mut Stack); 4] = [
        |stack| drop(stack.truncate(0)),
        |stack| {
            for _ in 0..3 {
                stack.pop();
            }
            stack.remove(0);
        },
        |stack| {
            stack.retain_after(0, |node| node.label.tag == Tag::Div);
            stack.remove(0);
        },
        |stack| {
            for place in (0..3).rev() {
                stack.remove(place);
            }
        },
    ];
    for close in closings {
        let mut stack = stack(&nodes);
        assert!(stack.has_foreign() && stack.nearest(PARAGRAPH) == Some(2));
        close(&mut stack);
        assert_eq!((looked_at(&stack, PARAGRAPH), stack.has_foreign()), (0, false));
    }
}
