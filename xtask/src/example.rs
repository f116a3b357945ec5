//! Examples of crates that are more than examples: benchmarks and counted paths, by their names.

#[cfg(test)]
mod tests;

/// `crates/KRATE/examples/KIND_NAME.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Example<'a> {
    pub(crate) krate: &'a str,
    /// `KIND_NAME`, as cargo calls it.
    pub(crate) target: &'a str,
    pub(crate) name: &'a str,
}

impl<'a> Example<'a> {
    /// If the path is that of an example of this kind.
    pub(crate) fn of(kind: &str, path: &'a str) -> Option<Self> {
        let (krate, file) = path.strip_prefix("crates/")?.split_once("/examples/")?;
        let target = file.strip_suffix(".rs")?;
        let name = target.strip_prefix(kind)?.strip_prefix('_')?;
        (!name.contains('/')).then_some(Self { krate, target, name })
    }
}
