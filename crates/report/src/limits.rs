//! Every limit of the report, with its reason.

/// Stretches of time that a crawl is divided into: more than a screen has columns for would not be seen.
pub const STRETCHES: usize = 240;

/// Names that are counted at once, of hosts, media types and the like: some megabytes. Servers choose them, so there may be any number;
/// beyond this, small ones are forgotten and the counts of large ones become bounds ([`crate::Tally`]).
pub const NAMES: usize = 32_768;

/// Hosts whose last contact is remembered, to tell the gap to the next. Gaps that reach further back are not counted.
pub const LAST_CONTACTS: usize = 65_536;

/// Names of each kind that the numbers list.
pub const LISTED: usize = 100;

/// Bars of one chart: what a reader takes in.
pub const BARS: usize = 15;

/// Characters of a name that are shown; the whole is in the numbers.
pub const NAME_CHARS: usize = 60;

/// Bytes of a line of the index: those that our own archive writes are far shorter.
pub const LINE_BYTES: usize = 1 << 20;

/// Hosts below a host, and robots.txt files of them, that an account for a webmaster tells apart: an owner who has more reads the first.
pub const AUTHORITIES: usize = 1_000;

/// Contacts that an account for a webmaster lists one by one, the newest of them.
pub const VISITS: usize = 1_000;
