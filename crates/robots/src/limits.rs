//! Every bound of this crate, with its reason.

/// Bytes of a robots.txt that are read: the least that RFC 9309 §2.5 allows and what Google reads. A line that
/// this cuts is ignored, since half of `Disallow: /private` is `Disallow: /`. Fetch one byte more than this,
/// so that a file that was cut can be told from one that ends here.
pub const ROBOTS_BYTES: usize = 500 * 1024;

/// Sitemap lines kept of a robots.txt. Sites with a sitemap index need one; the largest lists seen name a few
/// hundred, and each line costs memory in the host table.
pub const ROBOTS_SITEMAPS: usize = 1_000;

/// Content-Usage and Content-Signal lines kept of a robots.txt, and rules of a tdmrep.json: sites have one, or one for each of a few
/// directories. In the place of a list beyond this bound or the next two stands one rule that refuses all that the list refuses.
pub const USAGE_RULES: usize = 256;

/// Bytes of their paths together, and of those of an ai.txt: what is kept of each host must stay small.
pub const USAGE_BYTES: usize = 24 << 10;

/// Rules kept of an ai.txt: the generator's longest file has 138, each about one kind of files.
pub const AI_TXT_RULES: usize = 1_024;

/// Bytes of a tdmrep.json that are read: of robots.txt as many. A longer one is cut, and reserves all.
pub const TDMREP_BYTES: usize = 500 * 1024;

/// Bytes of a URL in a sitemap or a Sitemap line: the sitemap protocol asks for less than 2,048, browsers and
/// servers stop near 8,192.
pub const URL_BYTES: usize = 8_192;

/// Octets of a sitemap that are held at once; a tag, a comment or a literal of more than half of it is broken.
pub(crate) const WINDOW_BYTES: usize = 128 << 10;

/// Octets of a document in which its XML declaration is looked for: one with all it may say takes less than a hundred, in
/// UTF-16 only its first four count.
pub(crate) const DECLARATION_BYTES: u64 = 512;

/// Octets that are decoded at once, where a sitemap is not in UTF-8: of no consequence but for speed.
pub(crate) const DECODED_BYTES: usize = 8 << 10;

/// URLs of one sitemap, as the protocol says (sitemaps.org, "Sitemap file requirements"). What a larger one
/// holds beyond them is counted and not kept: the protocol offers the index for it, and a flood of sitemap URLs
/// is a known trap.
pub const SITEMAP_URLS: usize = 50_000;
