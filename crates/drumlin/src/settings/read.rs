use super::Settings;
use super::draft::{Draft, Fault};
use crate::exit::BadUsage;
use toml::de::{DeTable, Error};

/// The version of the layout that this program writes; it reads all up to it.
pub(crate) const FORMAT: u32 = 1;

/// Reads a configuration file. `name` is what it is called in messages.
pub(crate) fn read(name: &str, text: &str) -> Result<Settings, BadUsage> {
    let mut draft = Draft::of(text);
    let settings = draft.settle();
    let mut faults = draft.into_faults();
    faults.sort_by_key(|fault| fault.line);
    match faults.as_slice() {
        [] => Ok(settings),
        [only] => Err(BadUsage(only.told(name))),
        [first, others @ ..] => Err(BadUsage(format!(
            "{} (`drumlin config check` names {} more)",
            first.told(name),
            others.len()
        ))),
    }
}

/// Asked before anything else: a newer layout may have keys that this program cannot judge.
pub(super) fn is_newer(table: &DeTable<'_>) -> Option<String> {
    let format = table.get("format")?.get_ref().as_integer()?;
    let format = i64::from_str_radix(format.as_str(), format.radix()).ok()?;
    (format > i64::from(FORMAT)).then(|| {
        format!("it has format {format}, made by a newer drumlin; this one reads formats up to {FORMAT}")
    })
}

impl Fault {
    /// With the place where it is.
    pub(crate) fn told(&self, name: &str) -> String {
        let place = self.line.map_or(String::new(), |line| format!(", line {line}"));
        format!("{name}{place}: {}", self.reason)
    }
}

/// What an error says, on one line: of which key, unless it is one that nobody knows.
pub(super) fn reason_of(error: &Error, key: Option<&str>) -> String {
    let said = || plain(&error.message().replace('\n', ", "));
    let with_key = || key.map_or_else(said, |key| format!("{key}: {}", said()));
    unknown_key(error.message()).unwrap_or_else(with_key)
}

/// serde names what it would have taken by the types of this program.
fn plain(message: &str) -> String {
    let Some((found, wanted)) = message.rsplit_once("expected ") else { return message.to_owned() };
    let found = found.replace("type: sequence", "type: list").replace("type: map", "type: table");
    let found = found.replace(" as i128", "");
    format!("{found}expected {}", in_words(wanted))
}

fn in_words(wanted: &str) -> &str {
    match wanted {
        "u8" => "a whole number from 1 to 255",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" => "a whole number from 1 on",
        "a string" | "string or table" => "a text",
        "a sequence" => "a list",
        "any value" => "one of fewer digits",
        _ if wanted.starts_with("struct ") => "a table",
        _ => wanted,
    }
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
