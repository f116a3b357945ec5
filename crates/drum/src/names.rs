//! Names of a DRUM's files. The generation is new for every file, so that a name never changes its meaning.

/// The requests that wait in a bucket.
pub(crate) fn segment(bucket: usize, generation: u64) -> String {
    format!("bucket-{bucket:03x}-{generation:010x}.drum")
}

/// The keys of a bucket.
pub(crate) fn keys(bucket: usize, generation: u64) -> String {
    format!("keys-{bucket:03x}-{generation:010x}.drum")
}

/// Whether a file is one of ours, and may be removed when no manifest names it.
pub(crate) fn is_ours(name: &str) -> bool {
    let Some(body) = name.strip_suffix(".drum") else { return false };
    let Some(numbers) = body.strip_prefix("bucket-").or_else(|| body.strip_prefix("keys-")) else {
        return false;
    };
    let hex = |part: &str| part.bytes().all(|b| b.is_ascii_hexdigit());
    numbers.split_once('-').is_some_and(|(bucket, generation)| {
        bucket.len() == 3 && generation.len() >= 10 && hex(bucket) && hex(generation)
    })
}
