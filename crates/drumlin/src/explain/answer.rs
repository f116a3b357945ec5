use archive::{Capture, Location, StoredGroup};
use disk::SharedDisk;
use stdx::count_of;

/// What the archive has at a place, in a line for people.
pub(crate) fn answer_at(disk: &SharedDisk, location: Location) -> String {
    match stored_at(disk, location) {
        Ok(Some(answer)) => answer,
        Ok(None) => "its WARC file is no longer there".to_owned(),
        Err(error) => error.to_string(),
    }
}

fn stored_at(disk: &SharedDisk, location: Location) -> archive::Result<Option<String>> {
    let Some((file, group)) = StoredGroup::find(disk, location)? else { return Ok(None) };
    let said = said(&group.read()?.capture);
    Ok(Some(format!("{said}; its record begins at byte {} of {file}", location.response_offset)))
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
