use control::limits::BOUND;
use std::str::FromStr;
use stdx::UnitError;

/// A limit as it is typed: so much, or `none`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit<T>(pub(crate) Option<T>);

impl<T> Limit<T> {
    /// Whether it is said that there is none, which is not the same as saying nothing.
    pub(crate) fn lifts(said: Option<&Self>) -> bool {
        said.is_some_and(|limit| limit.0.is_none())
    }
}

impl<T: FromStr> FromStr for Limit<T> {
    type Err = T::Err;
    fn from_str(text: &str) -> Result<Self, T::Err> {
        if text == "none" { Ok(Self(None)) } else { text.parse().map(|value| Self(Some(value))) }
    }
}

/// How many pages: none at all is no limit that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Pages(pub(crate) u64);

impl FromStr for Pages {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<u64>().map_err(|error| error.to_string())? {
            0 => Err("at least 1 page, or `none`".to_owned()),
            pages @ 1..=BOUND => Ok(Self(pages)),
            _ => Err(format!("at most {BOUND} pages")),
        }
    }
}

/// A size or a time, likewise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount<T>(pub(crate) T);

impl<T: FromStr<Err = UnitError> + Default + PartialEq> FromStr for Amount<T> {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let amount: T = text.parse().map_err(|error: UnitError| error.to_string())?;
        if amount == T::default() { Err("more than 0, or `none`".to_owned()) } else { Ok(Self(amount)) }
    }
}
