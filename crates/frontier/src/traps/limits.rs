//! Every bound of the traps, with its reason.

/// Redirects that cost nothing: http to https, a moved domain, a slash at the end.
pub(crate) const CHAIN_FREE: u8 = 3;

/// Pages of a domain's budget for which it may show one new host.
pub(crate) const PAGES_A_NEW_HOST: u32 = 4;

/// New hosts a round of a domain that nobody knows: itself, its `www`, and two more.
pub(crate) const HOSTS_A_ROUND_LEAST: u32 = 4;

/// New hosts a round of a domain without a budget: more than any organisation has, far fewer than a wildcard in the DNS.
pub(crate) const HOSTS_A_ROUND_UNBUDGETED: u32 = 1_000;

/// URLs of a host that sitemaps may name before anybody asks who links to them.
pub(crate) const LISTED_FREE: u32 = 1_000;

/// URLs that sitemaps may name for each one that somebody links to: lists and archives are often reached by searching only.
pub(crate) const LISTED_A_LINK: u32 = 10;

/// Segments of a path that nobody wonders about: none of the test data's pages has more than 15.
pub(crate) const DEPTH_FREE: u32 = 16;

/// Bytes of a URL that nobody wonders about: 1 in 1,000 of the test data's URLs has more than 584, most of them resized pictures.
pub(crate) const LENGTH_FREE: u32 = 768;

/// How often a URL may be percent-encoded over again: one that stands in another's query is, and that one in a third.
pub(crate) const ENCODED_FREE: u32 = 2;

/// Segments in which repeats are sought; what has more is suspect by its depth. 64 segments are 2,000 comparisons.
pub(crate) const SEGMENTS_COMPARED: usize = 64;

/// Parameters of a query that nobody wonders about: 1 in 10,000 of the test data's URLs has more than 13.
pub(crate) const PARAMETERS_FREE: u32 = 12;

/// Parameters that are compared; what has more is suspect by their number.
pub(crate) const PARAMETERS_COMPARED: usize = 64;

/// Times that one parameter may come: lists of a few choices.
pub(crate) const SAME_PARAMETER_FREE: u32 = 4;

/// Years ahead that a calendar is looked through without delay.
pub(crate) const CALENDAR_AHEAD_YEARS: u32 = 2;

/// Years back that a calendar is looked through without delay: archives of the web go back as far.
pub(crate) const CALENDAR_BACK_YEARS: u32 = 40;

/// Patterns counted a host. Of the sites of the test data none has so many that more than a handful of URLs share.
pub(crate) const TEMPLATES: usize = 64;

/// Segments of a path that make its pattern; what is deeper is alike.
pub(crate) const PATTERN_SEGMENTS: usize = 8;

/// Parameters of a query that make its pattern.
pub(crate) const PATTERN_PARAMETERS: usize = 16;

/// Longest word; what is longer is a token.
pub(crate) const WORD_BYTES: usize = 20;

/// Pages of a host that are remembered by what they said. A trap says the same again within a few.
pub(crate) const FINGERPRINTS: usize = 32;

/// Bits of 64 in which the fingerprints of two pages that say the same may differ: texts that share 19 of 20 words. Among the 8
/// billion pages of Manku et al. (2007) it had to be 3, among the last 32 of one host chance finds none.
pub(crate) const NEAR_BITS: u32 = 6;

/// Ways of saying that there is no page that are remembered of a host: one for each of its languages or programs.
pub(crate) const ABSENCES: usize = 4;

/// Fetches without anything new, less what new ones have made good, that nobody wonders about.
pub(crate) const BARREN_FREE: u16 = 16;

/// Where that count ends, so that ten fetches with something new clear any pattern.
pub(crate) const BARREN_MOST: u16 = 4_096;

/// Patterns of URLs that were held back, counted a shard: some thousand a crawl, of which people read the first.
pub(crate) const SUSPECT_TEMPLATES: usize = 16;

/// Bytes of a pattern as people read it: its first segments tell it.
pub(crate) const FORM_BYTES: usize = 160;

/// One in so many URLs of a barren pattern goes free.
pub(crate) const PROBE_EVERY: u64 = 32;
