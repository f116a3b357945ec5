use crate::limits;

/// How an archive is written. Equal configuration and equal calls give equal bytes.
#[derive(Debug, Clone)]
pub struct ArchiveConfig {
    /// First part of WARC file names; letters, digits and `-`.
    pub prefix: String,
    /// Last part of WARC file names: the machine.
    pub host: String,
    /// Seeds the record ids. Two crawls of one seed share none all the same, unless one process begins both in one millisecond.
    pub seed: u64,
    /// The number of the process that begins the archive; of no consequence later.
    pub process: u32,
    /// `software` in warcinfo: name and version.
    pub software: String,
    /// `http-header-user-agent` in warcinfo.
    pub user_agent: String,
    /// `operator` in warcinfo: whom to write to.
    pub operator: Option<String>,
    /// `robots` in warcinfo: the policy obeyed.
    pub robots: String,
    /// A WARC file is closed when it is this long.
    pub max_file_bytes: u64,
    /// A checkpoint begins a new journal segment when the current one is this long.
    pub max_segment_bytes: u64,
    /// Memory for the index, in bytes: what is sorted at once, and what a merge reads ahead.
    pub index_bytes: usize,
    /// Memory for finding payloads that come again, in bytes. With none, every capture is archived whole, as it has to be where
    /// files [expire](crate::Archive::expire_before).
    pub payload_bytes: usize,
    /// The CDXJ key of a URL.
    pub surt: fn(&str) -> String,
}

impl ArchiveConfig {
    /// Defaults for everything that has one.
    pub fn new(prefix: &str, host: &str, seed: u64, surt: fn(&str) -> String) -> Self {
        Self {
            prefix: file_name_part(prefix),
            host: file_name_part(host),
            seed,
            process: 0,
            software: concat!("drumlin/", env!("CARGO_PKG_VERSION")).to_owned(),
            user_agent: concat!("drumlin/", env!("CARGO_PKG_VERSION")).to_owned(),
            operator: None,
            robots: "RFC 9309".to_owned(),
            max_file_bytes: limits::WARC_FILE_BYTES,
            max_segment_bytes: limits::SEGMENT_BYTES,
            index_bytes: limits::INDEX_BYTES,
            payload_bytes: limits::PAYLOAD_BYTES,
            surt,
        }
    }
}

/// What may stand in a file name on every system; never empty.
fn file_name_part(text: &str) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || c == '.' || c == '_' { c } else { '-' };
    let part: String = text.chars().map(keep).collect();
    let part = part.trim_matches(['-', '.']);
    if part.is_empty() { "crawl".to_owned() } else { part.to_owned() }
}
