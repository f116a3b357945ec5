use crate::error::Result;
use crate::manifest::Manifest;
use crate::names;
use crate::store::Store;
use disk::{Damage, Mode};

/// Brings the directory back to the cut: files that it does not name go, those that grew are cut to their length.
pub(crate) fn cut_back(store: &Store, manifest: &Manifest) -> Result<()> {
    let named = manifest.files();
    for name in store.disk.list(&store.dir)? {
        if names::generation(&name).is_some() && !named.contains_key(&name) {
            store.disk.remove(&store.path(&name))?;
        }
    }
    named.iter().try_for_each(|(name, len)| cut_file(store, name, *len))
}

fn cut_file(store: &Store, name: &str, len: u64) -> Result<()> {
    let path = store.path(name);
    match store.disk.stat(&path)? {
        Some(found) if found == len => Ok(()),
        Some(found) if found > len => Ok(store.disk.open(&path, Mode::Write)?.set_len(len)?),
        _ => Err(Damage::Bad("shorter than its manifest says").in_file(path).into()),
    }
}
