//! Names of a backlog's files. The generation is new for every file, so that a name never changes its meaning.

const KINDS: [&str; 3] = ["directory", "run", "queue"];

pub(crate) fn directory(generation: u64) -> String {
    name("directory", generation)
}

pub(crate) fn run(generation: u64) -> String {
    name("run", generation)
}

pub(crate) fn queue(generation: u64) -> String {
    name("queue", generation)
}

/// The generation of a file that is ours, and may be removed when nothing names it.
pub(crate) fn generation(name: &str) -> Option<u64> {
    let (kind, number) = name.strip_suffix(".backlog")?.split_once('-')?;
    let is_ours = KINDS.contains(&kind) && number.len() >= 10;
    is_ours.then(|| u64::from_str_radix(number, 16).ok()).flatten()
}

fn name(kind: &str, generation: u64) -> String {
    format!("{kind}-{generation:010x}.backlog")
}
