use super::Settings;
use crate::exit::BadUsage;
use toml::{Table, Value};

/// The version of the layout that this program writes; it reads all up to it.
pub(crate) const FORMAT: u32 = 1;

/// Reads a configuration file. `name` is what it is called in messages.
pub(crate) fn read(name: &str, text: &str) -> Result<Settings, BadUsage> {
    let fail = |error: &toml::de::Error| BadUsage(explain(name, text, error));
    let table: Table = toml::from_str(text).map_err(|error| fail(&error))?;
    check_format(name, &table)?;
    let settings: Settings = toml::from_str(text).map_err(|error| fail(&error))?;
    Ok(settings.with_profile())
}

/// Asked before anything else: a newer layout may have keys that this program cannot judge.
fn check_format(name: &str, table: &Table) -> Result<(), BadUsage> {
    match table.get("format") {
        Some(Value::Integer(format)) if *format > i64::from(FORMAT) => Err(BadUsage(format!(
            "{name} has format {format}, made by a newer drumlin; this one reads formats up to {FORMAT}"
        ))),
        _ => Ok(()),
    }
}

fn explain(name: &str, text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map_or(1, |span| text[..span.start.min(text.len())].matches('\n').count() + 1);
    let reason = unknown_key(error.message()).unwrap_or_else(|| error.message().replace('\n', ", "));
    format!("{name}, line {line}: {reason}")
}

/// A slip of the fingers; beyond, another word was meant.
const DISTANCE_MOST: usize = 2;

/// serde lists what it would have taken; one suggestion says more, if it is near.
fn unknown_key(message: &str) -> Option<String> {
    let quoted = message.strip_prefix("unknown field ")?;
    let mut names = quoted.split('`').skip(1).step_by(2);
    let unknown = names.next()?;
    let nearest = names.min_by_key(|known| distance(unknown, known))?;
    Some(if distance(unknown, nearest) <= DISTANCE_MOST {
        format!("unknown key `{unknown}`; the nearest known one is `{nearest}`")
    } else {
        format!("unknown key `{unknown}`; `drumlin config show` explains all that there are")
    })
}

/// Insertions, deletions and replacements between two words (Levenshtein 1966).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, to) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
