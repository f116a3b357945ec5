//! Every bound of this crate, with its reason.

/// Bytes of a document that are read; 99.9 % of pages are shorter.
pub const PARSED_BYTES: usize = 2 << 20;
/// Open elements. Browsers stop at 512; the text of pages made by people lies above 60.
pub const DEPTH: usize = 256;
/// Elements and pieces of text in a tree: 12 MB of them. Pages of 2 MB have about 50,000.
pub const NODES: usize = 1 << 18;
/// Bytes of one class or id that are looked at.
pub(crate) const NAME_BYTES: usize = 512;
/// Characters of one `style` that are looked at: what hides an element is seldom said last.
pub(crate) const STYLE_CHARS: usize = 256;
/// Values of `meta` that are kept.
pub(crate) const METAS: usize = 256;
/// Bytes of one JSON-LD script; shops list their range in larger ones.
pub(crate) const JSON_LD_BYTES: usize = 256 << 10;
/// Scripts of JSON-LD that are read.
pub(crate) const JSON_LD_SCRIPTS: usize = 16;
/// Values of JSON-LD that are visited.
pub(crate) const JSON_LD_VALUES: usize = 4096;
/// Bytes of a title, an author, a site's name.
pub(crate) const LABEL_BYTES: usize = 512;
/// Headings among which the title is looked for; it is among the first.
pub(crate) const TITLE_CANDIDATES: usize = 64;
/// Nodes of a player or a share box that are searched for a quotation.
pub(crate) const QUOTE_NODES: usize = 256;
/// Levels of a list that are told apart.
pub(crate) const LIST_LEVELS: usize = 8;
/// Bytes from which a line is not indented further: so many levels.
pub(crate) const PREFIX_BYTES: usize = 4 * LIST_LEVELS;
/// Blocks of a cell; one that holds more is a part of the page.
pub(crate) const CELL_BLOCKS: usize = 8;
/// Columns among which a cell may span several; few tables have more.
pub(crate) const SPANNED_COLUMNS: usize = 16;
