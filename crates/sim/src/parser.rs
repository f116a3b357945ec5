use crate::Failed;
use crate::structure::Structure;
use archive::Capture;
use crawler::{CrawlConfig, Digested, Material, ParseJob, Parsed, Room, digest};
use frontier::Kind;
use simweb::Web;

/// Who parses: pages of a web without bodies by its structure, all else by its bytes.
pub(crate) struct Parser {
    structure: Structure,
    config: CrawlConfig,
    room: Room,
}

impl Parser {
    pub(crate) fn new(config: CrawlConfig) -> Self {
        Self { structure: Structure::default(), config, room: Room::default() }
    }

    /// A page that is all structure.
    pub(crate) fn page(&mut self, job: &ParseJob, capture: &Capture, web: &Web) -> Parsed {
        self.structure.parse(job, capture, web)
    }

    /// A capture that gives links alone.
    pub(crate) fn links(&mut self, job: &ParseJob, capture: &Capture) -> Result<Parsed, Failed> {
        // Where the archive has it is for rows.
        let digested = self.digest(job, &Material::of(capture, String::new(), String::new()))?;
        assert!(digested.row.is_none(), "a row names its record");
        Ok(digested.parsed)
    }

    /// Any capture.
    pub(crate) fn digest(&mut self, job: &ParseJob, material: &Material<'_>) -> Result<Digested, Failed> {
        Ok(digest(job, material, &self.config, &mut self.room)?)
    }
}

/// Whether a capture gives links at most: a row is of a page that was there.
pub(crate) fn gives_no_row(job: &ParseJob, capture: &Capture) -> bool {
    job.kind == Kind::Sitemap || !matches!(capture.content().status, 200..=299)
}
