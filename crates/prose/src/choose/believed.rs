//! How far marks are believed: the more of the prose an element holds, the less.

use crate::marks::Marks;

/// A mark, and the share of the page's prose up to which it is believed.
struct Limit {
    mark: Marks,
    of_prose: f32,
}

const LIMITS: [Limit; 16] = [
    Limit { mark: Marks::COMMENTS, of_prose: 0.8 },
    Limit { mark: Marks::HIDDEN, of_prose: 0.5 },
    Limit { mark: Marks::FOOTER, of_prose: 0.5 },
    Limit { mark: Marks::NAVIGATION, of_prose: 0.4 },
    Limit { mark: Marks::SIDEBAR, of_prose: 0.4 },
    Limit { mark: Marks::RELATED, of_prose: 0.4 },
    Limit { mark: Marks::ADVERT, of_prose: 0.3 },
    Limit { mark: Marks::SUBSCRIBE, of_prose: 0.3 },
    Limit { mark: Marks::SHARE, of_prose: 0.3 },
    Limit { mark: Marks::LEGAL, of_prose: 0.3 },
    Limit { mark: Marks::CAPTION, of_prose: 0.2 },
    Limit { mark: Marks::KEYWORDS, of_prose: 0.1 },
    Limit { mark: Marks::TOOLS, of_prose: 0.1 },
    Limit { mark: Marks::BYLINE, of_prose: 0.1 },
    Limit { mark: Marks::MEDIA, of_prose: 0.1 },
    Limit { mark: Marks::HEADER, of_prose: 0.05 },
];

/// What speaks for an element that says something else of itself, too: its limit is so much of what it would be.
const OF_BODY: f32 = 0.3;
const OF_CONTENT: f32 = 0.6;
const WITH_TITLE: f32 = 0.4;

/// All marks of something else than the article.
pub(super) const ELSE: Marks = all();

const fn all() -> Marks {
    let mut marks = Marks::NONE;
    let mut i = 0;
    while i < LIMITS.len() {
        marks = marks.with(LIMITS[i].mark);
        i += 1;
    }
    marks
}

/// The share of the page's prose up to which an element with these marks is something else, by the mark that is believed most;
/// nothing where none says so.
pub(super) fn limit(marks: Marks, has_title: bool) -> Option<f32> {
    let meant = LIMITS.iter().filter(|limit| marks.meet(limit.mark));
    let limit = meant.map(|limit| limit.of_prose).max_by(f32::total_cmp)?;
    let body = if marks.meet(Marks::BODY) { OF_BODY } else { 1.0 };
    let content = if marks.meet(Marks::CONTENT) { OF_CONTENT } else { 1.0 };
    let title = if has_title { WITH_TITLE } else { 1.0 };
    Some(limit * body * content * title)
}
