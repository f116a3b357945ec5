//! Which delimiters of emphasis are read as such, and so are written.

/// The delimiter of code, which is read wherever it stands.
pub(super) const CODE: &str = "`";

/// Emphasis of a text, which begins and ends with a word.
pub(super) struct Pair {
    pub(super) mark: &'static str,
    pub(super) start: usize,
    pub(super) end: usize,
}

#[derive(Clone, Copy)]
struct Delimiter {
    at: usize,
    mark: &'static str,
    opens: bool,
    pair: usize,
}

/// The text with the delimiters of its pairs, but for those that would be letters. The pairs are nested, inner ones first.
pub(super) fn put(text: &str, pairs: &[Pair]) -> String {
    let mut written = String::with_capacity(text.len() + 4 * pairs.len());
    let mut from = 0;
    for delimiter in one_code(flanking(text, all(pairs))) {
        written.push_str(&text[from..delimiter.at]);
        written.push_str(delimiter.mark);
        from = delimiter.at;
    }
    written.push_str(&text[from..]);
    written
}

/// All delimiters as they are written.
fn all(pairs: &[Pair]) -> Vec<Delimiter> {
    let numbered = || pairs.iter().enumerate();
    let ends =
        numbered().map(|(nth, pair)| Delimiter { at: pair.end, mark: pair.mark, opens: false, pair: nth });
    let starts = numbered().rev().map(|(nth, pair)| Delimiter {
        at: pair.start,
        mark: pair.mark,
        opens: true,
        pair: nth,
    });
    let mut all: Vec<Delimiter> = ends.chain(starts).collect();
    all.sort_by_key(|delimiter| delimiter.at);
    all
}

/// Those of pairs both of which flank words. Where a pair goes, one within it may lose what it stood beside; no more than these
/// stand in each other.
fn flanking(text: &str, mut delimiters: Vec<Delimiter>) -> Vec<Delimiter> {
    const NESTED: usize = 3;
    for _ in 0..NESTED {
        let (mut lost, mut stars) = (Vec::new(), 0);
        for delimiters in delimiters.chunk_by(|one, next| one.at == next.at) {
            let place = Place { text, delimiters, within_stars: stars > 0 };
            let letters = (0..delimiters.len()).filter(|nth| !place.flanks(*nth));
            lost.extend(letters.map(|nth| delimiters[nth].pair));
            for delimiter in delimiters.iter().filter(|delimiter| delimiter.letter() == Some('*')) {
                stars += if delimiter.opens { 1 } else { -1 };
            }
        }
        lost.sort_unstable();
        delimiters.retain(|delimiter| lost.binary_search(&delimiter.pair).is_err());
    }
    delimiters
}

/// Code that begins where code ends goes on: two backticks would be another delimiter.
fn one_code(delimiters: Vec<Delimiter>) -> Vec<Delimiter> {
    let mut written: Vec<Delimiter> = Vec::with_capacity(delimiters.len());
    for delimiter in delimiters {
        let goes_on = |last: &mut Delimiter| delimiter.opens && last.at == delimiter.at && last.ends_code();
        if delimiter.mark != CODE || written.pop_if(goes_on).is_none() {
            written.push(delimiter);
        }
    }
    written
}

impl Delimiter {
    fn letter(&self) -> Option<char> {
        self.mark.chars().next()
    }

    fn ends_code(&self) -> bool {
        self.mark == CODE && !self.opens
    }
}

/// A place in a text with delimiters.
struct Place<'a> {
    text: &'a str,
    delimiters: &'a [Delimiter],
    /// Whether emphasis by stars is open before it.
    within_stars: bool,
}

impl Place<'_> {
    /// Whether a delimiter is left-flanking as one that opens, or right-flanking as one that closes (`CommonMark` 6.2). None opens
    /// where another has just closed, or where it may close one that is open.
    fn flanks(&self, nth: usize) -> bool {
        let Delimiter { mark, opens, .. } = self.delimiters[nth];
        let [before, after] = self.around(nth);
        let [outer, inner] = if opens { [before, after] } else { [after, before] };
        let is_letter = |c: Option<char>| !c.is_some_and(is_punctuation);
        let is_space = outer.is_none_or(char::is_whitespace);
        let may_close = self.within_stars && !is_space && is_letter(outer) == is_letter(inner);
        let is_after_end = self.delimiters.iter().any(|other| !other.opens && other.mark != CODE);
        let is_flanking = is_space || !is_letter(outer) || is_letter(inner);
        mark == CODE || is_flanking && !(opens && (is_after_end || may_close))
    }

    /// The letters before and after the run of a delimiter.
    fn around(&self, nth: usize) -> [Option<char>; 2] {
        let Delimiter { at, opens, .. } = self.delimiters[nth];
        let letter = self.delimiters[nth].letter();
        let is_beside =
            |other: &&Delimiter| other.letter() != letter && (other.opens == opens || other.mark == CODE);
        let before = self.delimiters[..nth].iter().rev().find(is_beside);
        let after = self.delimiters[nth + 1..].iter().find(is_beside);
        [
            before.map_or_else(|| self.text[..at].chars().next_back(), Delimiter::letter),
            after.map_or_else(|| self.text[at..].chars().next(), Delimiter::letter),
        ]
    }
}

/// Whatever may be of the categories P and S.
fn is_punctuation(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace()
}
