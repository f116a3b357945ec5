//! A file of settings that may be wrong in many places. They are found one after the other: what is wrong is put aside before
//! the rest is looked at again.

use super::Settings;
use super::layout::{Key, TOP};
use super::read::{is_newer, reason_of};
use serde::Deserialize;
use std::ops::Range;
use toml::Spanned;
use toml::de::{DeTable, Deserializer, Error};

#[cfg(test)]
mod tests;

/// A file with more faults than this is no file of settings; the others are not looked for.
const FAULTS_MAX: usize = 100;

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Counted from 1; `None` where no line alone is to blame.
    pub(crate) line: Option<usize>,
    pub(crate) reason: String,
}

/// A file, as far as it is in order.
pub(super) struct Draft<'a> {
    text: &'a str,
    table: Spanned<DeTable<'a>>,
    faults: Vec<Fault>,
    /// Whether a key of `[signature]` has been put aside: the other is no use without it, and no fault for that.
    is_signature_halved: bool,
}

/// The table whose keys go together.
const SIGNATURE: &str = "signature";

/// A key, behind the name of its table unless it is at the top.
type KeyPath = Vec<String>;

/// All that is wrong with a file, in the order of its lines. `judge` says whether settings that can be read make sense.
pub(crate) fn faults(text: &str, judge: &dyn Fn(&Settings) -> Result<(), String>) -> Vec<Fault> {
    let mut draft = Draft::of(text);
    let settings = draft.settle();
    draft.weigh(settings, judge);
    draft.faults.sort_by_key(|fault| fault.line);
    draft.faults
}

impl<'a> Draft<'a> {
    /// A file whose grammar is checked: with faults there, nothing else is looked for.
    pub(super) fn of(text: &'a str) -> Self {
        let (table, errors) = DeTable::parse_recoverable(text);
        let mut draft = Self { text, table, faults: Vec::new(), is_signature_halved: false };
        for error in errors.iter().take(FAULTS_MAX) {
            draft.note(error, None);
        }
        draft
    }

    /// The settings, but for what has no place in them; the default where the grammar is at fault.
    pub(super) fn settle(&mut self) -> Settings {
        if !self.faults.is_empty() {
            return Settings::default();
        }
        self.put_aside_tables();
        loop {
            let error = match self.settings() {
                Ok(settings) => return settings,
                Err(error) => error,
            };
            let culprit = error.span().and_then(|span| self.key_at(&span));
            self.note(&error, culprit.as_ref());
            match culprit.filter(|_| self.faults.len() < FAULTS_MAX) {
                Some(key) => drop(self.remove(&key)),
                None => return Settings::default(),
            }
        }
    }

    /// `[scope]` where `scope = …` was meant: what is in such a table says nothing.
    fn put_aside_tables(&mut self) {
        for Key { name, example, .. } in TOP {
            let (line, key) = (|at: usize| line_at(self.text, at), vec![(*name).to_owned()]);
            let entry = self.table.get_ref().get_key_value(*name);
            let Some((place, _)) = entry.filter(|(_, value)| value.get_ref().as_table().is_some()) else {
                continue;
            };
            let line = Some(line(place.span().start));
            self.faults
                .push(Fault { line, reason: format!("`{name}` is no table but a key: {name} = {example}") });
            self.remove(&key);
        }
    }

    /// Finds what makes no sense: the keys without which each complaint goes away.
    fn weigh(&mut self, mut settings: Settings, judge: &dyn Fn(&Settings) -> Result<(), String>) {
        while let Err(reason) = judge(&settings) {
            let culprit = self.suspects(&reason).into_iter().find_map(|key| {
                let without = self.without(&key)?;
                (judge(&without).as_ref() != Err(&reason)).then_some((key, without))
            });
            let line = culprit.as_ref().and_then(|(key, _)| self.remove(key));
            // It may quote what the file says, on however many lines.
            self.faults.push(Fault { line, reason: reason.replace('\n', " ") });
            match culprit {
                Some((_, without)) => settings = without,
                None => return,
            }
        }
    }

    pub(super) fn into_faults(self) -> Vec<Fault> {
        self.faults
    }

    fn settings(&self) -> Result<Settings, Error> {
        if let Some(newer) = is_newer(self.table.get_ref()) {
            return Err(serde::de::Error::custom(newer));
        }
        let read = Settings::deserialize(Deserializer::from(self.table.clone()))?.with_profile();
        let signature = read.signature.clone().filter(|_| !self.is_signature_halved);
        Ok(Settings { signature, ..read })
    }

    fn without(&self, key: &KeyPath) -> Option<Settings> {
        let mut rest = Self { table: self.table.clone(), faults: Vec::new(), ..*self };
        rest.remove(key)?;
        rest.settings().ok()
    }

    fn note(&mut self, error: &Error, key: Option<&KeyPath>) {
        let line = error.span().map(|span| line_at(self.text, span.start));
        self.faults.push(Fault { line, reason: reason_of(error, key.map(named).as_deref()) });
    }

    /// All keys, those first that a complaint begins with.
    fn suspects(&self, complaint: &str) -> Vec<KeyPath> {
        let mut keys = self.keys();
        keys.sort_by_key(|key| !complaint.starts_with(&format!("{}: ", named(key))));
        keys
    }

    /// All keys, in the order of the file.
    fn keys(&self) -> Vec<KeyPath> {
        let mut found = Vec::new();
        for (key, value) in self.table.get_ref() {
            let name = key.get_ref().to_string();
            match value.get_ref().as_table() {
                Some(inner) => found.extend(
                    inner.keys().map(|key| (key.span().start, vec![name.clone(), key.get_ref().to_string()])),
                ),
                None => found.push((key.span().start, vec![name])),
            }
        }
        found.sort();
        found.into_iter().map(|(_, key)| key).collect()
    }

    /// The key that a place in the text belongs to.
    fn key_at(&self, place: &Range<usize>) -> Option<KeyPath> {
        let (key, value) = entry_at(self.table.get_ref(), place)?;
        let name = key.get_ref().to_string();
        let inner = value.get_ref().as_table().and_then(|inner| entry_at(inner, place));
        Some(match inner {
            Some((key, _)) => vec![name, key.get_ref().to_string()],
            None => vec![name],
        })
    }

    /// Puts a key aside and gives its line.
    fn remove(&mut self, key: &KeyPath) -> Option<usize> {
        self.is_signature_halved |= matches!(key.as_slice(), [section, _] if section == SIGNATURE);
        let table = self.table.get_mut();
        let removed = match key.as_slice() {
            [name] => table.remove_entry(name.as_str()),
            [section, name] => match table.get_mut(section.as_str())?.get_mut() {
                toml::de::DeValue::Table(inner) => inner.remove_entry(name.as_str()),
                _ => None,
            },
            _ => None,
        };
        removed.map(|(key, _)| line_at(self.text, key.span().start))
    }
}

/// As messages have it: `depth`, `[retry]`, `[retry] base`.
fn named(key: &KeyPath) -> String {
    match key.as_slice() {
        [name] if TOP.iter().any(|key| key.name == name) => name.clone(),
        [section, name] => format!("[{section}] {name}"),
        names => format!("[{}]", names.concat()),
    }
}

type Entry<'t, 'a> = (&'t Spanned<toml::de::DeString<'a>>, &'t Spanned<toml::de::DeValue<'a>>);

fn entry_at<'t, 'a>(table: &'t DeTable<'a>, place: &Range<usize>) -> Option<Entry<'t, 'a>> {
    let is_in = |span: Range<usize>| span.start <= place.start && place.end <= span.end;
    let has = |(key, value): &Entry<'t, 'a>| {
        let inner = value.get_ref().as_table().is_some_and(|inner| entry_at(inner, place).is_some());
        inner || is_in(key.span()) || is_in(value.span())
    };
    table.iter().find(has)
}

fn line_at(text: &str, offset: usize) -> usize {
    text[..offset.min(text.len())].matches('\n').count() + 1
}
