use crate::config::Config;
use crate::error::{Error, Result};
use crate::limits::MAX_VALUE_BYTES;
use crate::manifest::{BucketCut, Manifest};
use crate::names;
use crate::value::Value;
use disk::{Damage, Disk, Mode};
use std::io::ErrorKind;
use std::path::Path;

/// Refuses a manifest of a DRUM of another shape.
pub(crate) fn check_shape<V: Value>(config: &Config, manifest: &Manifest) -> Result<()> {
    assert!(V::SIZE <= MAX_VALUE_BYTES, "a value of {} bytes", V::SIZE);
    let shape = |bits: u8, value: usize| format!("2^{bits} buckets and values of {value} bytes");
    let found = shape(manifest.bucket_bits, usize::from(manifest.value_bytes));
    let wanted = shape(config.bucket_bits, V::SIZE);
    if found == wanted { Ok(()) } else { Err(Error::Mismatch { found, wanted }) }
}

/// Brings `dir` back to the cut: files that it does not name go, those that grew are cut to their length.
pub(crate) fn cut_back(disk: &dyn Disk, dir: &Path, manifest: &Manifest) -> Result<()> {
    let named = manifest.files();
    for name in names_in(disk, dir)? {
        if names::is_ours(&name) && !named.contains(&name) {
            disk.remove(&dir.join(name))?;
        }
    }
    for (bucket, cut) in manifest.buckets.iter().enumerate() {
        cut_bucket(disk, dir, bucket, cut)?;
    }
    Ok(())
}

/// Nothing if there is no such directory.
fn names_in(disk: &dyn Disk, dir: &Path) -> Result<Vec<String>> {
    match disk.list(dir) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        names => Ok(names?),
    }
}

fn cut_bucket(disk: &dyn Disk, dir: &Path, bucket: usize, cut: &BucketCut) -> Result<()> {
    if let Some(keys) = cut.keys {
        let path = dir.join(names::keys(bucket, keys.generation));
        if disk.stat(&path)? != Some(keys.len) {
            return Err(Damage::Bad("not as long as its manifest says").in_file(path).into());
        }
    }
    for segment in &cut.segments {
        cut_file(disk, &dir.join(names::segment(bucket, segment.generation)), segment.len)?;
    }
    Ok(())
}

fn cut_file(disk: &dyn Disk, path: &Path, len: u64) -> Result<()> {
    match disk.stat(path)? {
        Some(found) if found == len => Ok(()),
        Some(found) if found > len => Ok(disk.open(path, Mode::Write)?.set_len(len)?),
        _ => Err(Damage::Bad("shorter than its manifest says").in_file(path).into()),
    }
}
