use serde::{Deserialize, Serialize};
use std::fmt;

/// A use that an owner can allow or refuse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Use {
    /// Training models.
    Train,
    /// Giving content to a model that answers somebody.
    Input,
    /// Finding it: an index, and links with excerpts.
    Search,
    /// Text and data mining (Directive (EU) 2019/790, article 4).
    Mining,
}

/// What an owner says of a use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Answer {
    /// Allowed.
    Yes,
    /// Refused.
    No,
}

/// What an owner says of each use; of most, nothing. Displays as `train-ai=n, search=y`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Preferences([Option<Answer>; 4]);

impl Use {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Train, Self::Input, Self::Search, Self::Mining];

    /// The name it is written by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Train => "train-ai",
            Self::Input => "ai-input",
            Self::Search => "search",
            Self::Mining => "tdm",
        }
    }
}

/// Names of uses in both vocabularies, the broad ones first: what is said of a narrower use goes over them. Of training, that of generative
/// models is a part, and what texts are gathered for.
const VOCABULARY: [Words; 6] = [
    Words(&["all", "bots"], &Use::ALL),
    Words(&["ai"], &[Use::Train, Use::Input]),
    Words(&["ai-use", "ai-input"], &[Use::Input]),
    Words(&["train-ai", "ai-train", "train-genai", "genai"], &[Use::Train]),
    Words(&["tdm"], &[Use::Mining]),
    Words(&["search", "index"], &[Use::Search]),
];

struct Words(&'static [&'static str], &'static [Use]);

impl Preferences {
    /// Nothing is said.
    pub const NONE: Self = Self([None; 4]);

    /// That these uses are refused.
    pub fn refusing(uses: &[Use]) -> Self {
        uses.iter().fold(Self::NONE, |all, of| all.set(*of, Answer::No))
    }

    /// That these uses are allowed.
    pub fn allowing(uses: &[Use]) -> Self {
        uses.iter().fold(Self::NONE, |all, of| all.set(*of, Answer::Yes))
    }

    /// `Content-Usage` (draft-ietf-aipref-attach, -vocab), in a header or behind a path in robots.txt: `train-ai=n, search=y`. Also
    /// `Content-Signal` (contentsignals.org): `ai-train=no, search=yes`. Words that nobody has defined say nothing.
    pub fn of_usage(value: &str) -> Self {
        let said: Vec<Said<'_>> = value.split([',', ';']).filter_map(Said::of).collect();
        let mut all = Self::NONE;
        for Words(words, uses) in VOCABULARY {
            let means = |said: &&Said<'_>| words.iter().any(|word| said.word.eq_ignore_ascii_case(word));
            let answers = said.iter().filter(means);
            // What is said twice: the stricter.
            if let Some(answer) = answers.map(|said| said.answer).reduce(stricter) {
                all = uses.iter().fold(all, |all, of| all.set(*of, answer));
            }
        }
        all
    }

    /// `tdm-reservation` (W3C TDM Reservation Protocol), in a header or a meta: 1 reserves.
    pub fn of_tdm_reservation(value: &str) -> Self {
        match value.trim() {
            "1" => Self::NONE.set(Use::Mining, Answer::No),
            "0" => Self::NONE.set(Use::Mining, Answer::Yes),
            _ => Self::NONE,
        }
    }

    /// What is said of a use.
    pub fn of(self, of: Use) -> Option<Answer> {
        self.0[of as usize]
    }

    /// Whether a use is refused.
    pub fn refuses(self, of: Use) -> bool {
        self.of(of) == Some(Answer::No)
    }

    /// Whether anything is said.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// What both say together: of each use the stricter.
    #[must_use]
    pub fn with(self, other: Self) -> Self {
        Use::ALL.into_iter().fold(self, |all, of| match (all.of(of), other.of(of)) {
            (Some(mine), Some(theirs)) => all.set(of, stricter(mine, theirs)),
            (None, Some(theirs)) => all.set(of, theirs),
            (_, None) => all,
        })
    }

    /// What any of these refuses, and nothing else.
    pub(crate) fn refused_by(all: impl Iterator<Item = Self>) -> Self {
        Self(all.fold(Self::NONE, Self::with).0.map(|answer| answer.filter(|answer| *answer == Answer::No)))
    }

    /// What is said of one use alone.
    pub(crate) fn only(self, of: Use) -> Self {
        self.of(of).map_or(Self::NONE, |answer| Self::NONE.set(of, answer))
    }

    fn set(mut self, of: Use, answer: Answer) -> Self {
        self.0[of as usize] = Some(answer);
        self
    }
}

fn stricter(one: Answer, other: Answer) -> Answer {
    if one == Answer::No { one } else { other }
}

impl fmt::Display for Preferences {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut between = "";
        for of in Use::ALL {
            if let Some(answer) = self.of(of) {
                let answer = if answer == Answer::Yes { "y" } else { "n" };
                write!(f, "{between}{}={answer}", of.name())?;
                between = ", ";
            }
        }
        Ok(())
    }
}

/// `word=answer`.
struct Said<'a> {
    word: &'a str,
    answer: Answer,
}

impl<'a> Said<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let (word, answer) = text.split_once('=')?;
        let answer = match answer.trim().to_ascii_lowercase().as_str() {
            "y" | "yes" | "allow" | "?1" => Answer::Yes,
            "n" | "no" | "disallow" | "?0" => Answer::No,
            _ => return None,
        };
        Some(Self { word: word.trim(), answer })
    }
}
