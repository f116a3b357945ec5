//! Every bound of this crate, with its reason.

/// Bounds on one document. The defaults suit a broad crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that undoing content-codings may produce: a bomb of 42 KB costs no more than this. Nothing that is not coded is cut by it.
    pub decoded_bytes: usize,
    /// Bytes of the decoded body that are scanned; 99.9 % of pages are shorter.
    pub parsed_bytes: usize,
    /// Links kept of one page, those of its headers apart; large book indexes have about 20,000.
    pub links: usize,
    /// Bytes of their URLs together: a base of 16 KB makes every short reference that long.
    pub link_bytes: usize,
    /// Bytes of one anchor text; what is longer is a paragraph, not a name.
    pub anchor_bytes: usize,
    /// Bytes of the title; search engines show a tenth of it.
    pub title_bytes: usize,
    /// Bytes of visible text.
    pub text_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            decoded_bytes: 16 << 20,
            parsed_bytes: 2 << 20,
            links: 1 << 16,
            link_bytes: 16 << 20,
            anchor_bytes: 512,
            title_bytes: 2048,
            text_bytes: 2 << 20,
        }
    }
}

/// Stacked content-codings that are undone; nobody honest sends more than two.
pub(crate) const CODINGS: usize = 3;
/// The window that RFC 9659 allows a zstd body: 8 MiB.
pub(crate) const ZSTD_WINDOW_LOG: u32 = 23;
/// The window of a brotli body: as much. The format knows one twice as large; nobody has asked for brotli.
pub(crate) const BROTLI_WINDOW_LOG: u8 = 23;
/// Members of one gzip body: block-wise writers make some hundred of 16 MiB, and each costs a decoder.
pub(crate) const GZIP_MEMBERS: usize = 4096;
/// Bytes between two decoders.
pub(crate) const CODING_BUFFER_BYTES: usize = 16 << 10;
/// The bytes that the prescan of HTML 13.2.3.2 looks at.
pub(crate) const PRESCAN_BYTES: usize = 1024;
/// Bytes without a declared encoding that are searched for a late `meta`.
pub(crate) const LATE_META_BYTES: usize = 512 << 10;
/// Bytes given to the statistical detector, which reads 33 MB/s.
pub(crate) const DETECTOR_BYTES: usize = 4096;
/// … which stand so far at most from one that is not ASCII.
pub(crate) const DETECTOR_MARGIN: usize = 64;
/// Characters given to the language detector.
pub(crate) const LANGUAGE_CHARS: usize = 2000;
/// Letters from which the language detector is believed that guesses: of fewer, chance decides.
pub(crate) const LANGUAGE_LETTERS: usize = 8;
/// Bytes of a reference as written; servers refuse half of it.
pub(crate) const REFERENCE_BYTES: usize = 16 << 10;
/// Bytes of a query that are encoded at once: of most all.
pub(crate) const ENCODED_BYTES: usize = 256;
/// Links that there is room for from the start: most pages have no more.
pub(crate) const LINKS_MOSTLY: usize = 128;
/// Links taken from the headers of one response; a head of 64 KB that is all preloads has about as many.
pub(crate) const HEADER_LINKS: usize = 256;
/// Addresses of one `ping`; nobody honest has more than two.
pub(crate) const PINGS: usize = 8;
/// Candidates read from one `srcset`.
pub(crate) const SRCSET_CANDIDATES: usize = 64;
/// Bytes of a `lang` attribute or other small value that is kept.
pub(crate) const SMALL_VALUE_BYTES: usize = 64;
/// Bytes of what a page says of its licence: a URL, or a sentence.
pub(crate) const LICENSE_BYTES: usize = 512;
/// Warnings kept of one document.
pub(crate) const WARNINGS: usize = 16;
/// Words from which a text can be told from others; what has fewer is a picture or a form.
pub(crate) const FINGERPRINT_FEATURES_LEAST: usize = 16;
/// Different words of a text that are looked at: what a page says is said by then, and 30 µs have gone.
pub(crate) const FINGERPRINT_FEATURES_MOST: usize = 4096;
