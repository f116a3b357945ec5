use archive::{Capture, Location, StoredCapture, StoredGroup};
use disk::SharedDisk;
use stdx::count_of;

/// What the archive has at a place.
pub(crate) struct Answer {
    /// In a line for people.
    pub(super) said: String,
    /// The URL that was requested, if that can be read.
    pub(super) url: Option<String>,
}

impl Answer {
    /// Reads it.
    pub(crate) fn at(disk: &SharedDisk, location: Location) -> Self {
        let unread = |said: String| Self { said, url: None };
        match Self::stored_at(disk, location) {
            Ok(Some(answer)) => answer,
            Ok(None) => unread("its WARC file is no longer there".to_owned()),
            Err(error) => unread(error.to_string()),
        }
    }

    fn stored_at(disk: &SharedDisk, location: Location) -> archive::Result<Option<Self>> {
        let Some(group) = StoredGroup::find(disk, location)? else { return Ok(None) };
        let StoredCapture { capture, path, offset, .. } = group.read()?;
        let file = path.file_name().unwrap_or_default().display();
        let said = format!("{}; its record begins at byte {offset} of {file}", said(&capture));
        Ok(Some(Self { said, url: Some(capture.url) }))
    }
}

fn said(capture: &Capture) -> String {
    let Capture { status, elapsed_ms, address, started, .. } = capture;
    let bytes = match &capture.unchanged {
        Some(_) => "what an earlier crawl has still stands".to_owned(),
        None => format!("{} of body", count_of(capture.body.len(), "byte")),
    };
    let cut = capture.truncated.map(|why| format!(", cut off ({})", why.name())).unwrap_or_default();
    format!("{status}, {bytes}{cut}, in {elapsed_ms} ms from {address} at {started}")
}
