use std::fmt;

/// What lets its bearer change the crawl: drawn anew at each start, and shown to nobody but the operator.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// In any case (RFC 9110, section 11.1).
const SCHEME: &[u8] = b"Bearer ";

impl Token {
    /// Of bits that nobody can guess.
    pub fn of(secret: [u8; 16]) -> Self {
        Self(format!("{:032x}", u128::from_le_bytes(secret)))
    }

    /// As it is typed.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `Authorization` bears it. How long this takes says nothing about where they differ.
    pub(crate) fn is_borne_by(&self, authorization: &[u8]) -> bool {
        let Some((scheme, given)) = authorization.split_at_checked(SCHEME.len()) else { return false };
        if !scheme.eq_ignore_ascii_case(SCHEME) {
            return false;
        }
        let differences = self.0.bytes().zip(given).fold(0, |sum, (ours, theirs)| sum | (ours ^ theirs));
        given.len() == self.0.len() && differences == 0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}
