//! Where a capture lies, as the archive says it and as the frontier keeps it: siblings that never see each other.

/// For the frontier's records.
pub(crate) fn to_frontier(location: archive::Location) -> frontier::Location {
    let archive::Location { serial, offset, length, response_offset, response_length } = location;
    frontier::Location { serial, offset, length, response_offset, response_length }
}

/// For a look into the archive.
pub(crate) fn to_archive(location: frontier::Location) -> archive::Location {
    let frontier::Location { serial, offset, length, response_offset, response_length } = location;
    archive::Location { serial, offset, length, response_offset, response_length }
}

/// Where in the archive the answer to a URL in this state is, once it has a final one and that is durable.
pub fn archived_at(state: &frontier::UrlState) -> Option<archive::Location> {
    match state {
        frontier::UrlState::Fetched { location, .. } => location.map(to_archive),
        _ => None,
    }
}
