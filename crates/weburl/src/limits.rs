//! Every bound of this crate, with its reason.

/// The longest URL that is requested, in bytes. RFC 9110, section 4.1 asks everyone to support 8,000 octets;
/// servers' default header buffers end near there, and what is longer is generated, not written.
pub const URL_BYTES: usize = 8_000;

/// How much of a refused text an error carries, in bytes: `data:` references run to megabytes.
pub(crate) const QUOTED_BYTES: usize = 120;

/// Query parameters sorted without touching the heap. Of the links of 400 saved pages all but a handful have fewer.
pub(crate) const PARAMETERS_ON_STACK: usize = 16;

/// How often a SURT is unescaped before it is taken as it is; each round shortens the text, so a bound is only
/// needed against quadratic time. Real URLs settle after one or two.
pub(crate) const UNESCAPE_ROUNDS: usize = 64;

/// A session token has at least this many characters: shorter values under ambiguous names are as likely words,
/// dates or catalogue numbers.
pub(crate) const TOKEN_MIN_BYTES: usize = 16;
