use super::super::layout::LAYOUT;
use super::super::{Settings, read};
use super::explained;
use std::fmt::Write;

/// The keys that the reader of a table takes, as its refusal lists them.
fn known(section: &str) -> Vec<String> {
    let text = if section.is_empty() { "no_key = 1".to_owned() } else { format!("[{section}]\nno_key = 1") };
    let refused = toml::from_str::<Settings>(&text).unwrap_err();
    refused.message().split('`').skip(3).step_by(2).map(str::to_owned).collect()
}

#[test]
fn every_key_is_explained_and_no_other() {
    for section in LAYOUT {
        let mut explained: Vec<&str> = section.keys.iter().map(|key| key.name).collect();
        if section.name.is_empty() {
            explained.extend(LAYOUT.iter().map(|table| table.name).filter(|name| !name.is_empty()));
        }
        explained.sort_unstable();
        let mut known = known(section.name);
        known.sort_unstable();
        assert_eq!(explained, known, "[{}]", section.name);
    }
}

#[test]
fn what_is_explained_is_read_back() {
    let mut settings = Settings::defaults();
    assert_eq!(read("a.toml", &explained(&settings)).unwrap(), settings);
    settings.include = Some(vec!["a\"b\\d".into(), "'".into()]);
    settings.seed = Some("00ff".into());
    assert_eq!(read("a.toml", &explained(&settings)).unwrap(), settings);
}

#[test]
fn every_example_is_a_value() {
    let bare = explained(&Settings::default());
    let given: Vec<&str> = bare
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
        .collect();
    let settings = read("a.toml", &given.join("\n")).unwrap();
    assert!(!explained(&settings).lines().any(|line| line.starts_with('#') && !line.starts_with("# ")));
    crate::config::Config::new(&settings).unwrap();
}

/// docs/formats/drumlin-toml.md has the same keys, in the same words: a row for each.
#[test]
fn every_key_is_drawn_as_it_is_explained() {
    const DRAWN: &str = include_str!("../../../../../docs/formats/drumlin-toml.md");
    let defaults = Settings::defaults().to_table();
    let mut rows = String::new();
    for section in LAYOUT {
        let own =
            if section.name.is_empty() { Some(&defaults) } else { super::inner(&defaults, section.name) };
        for key in section.keys {
            let table =
                if section.name.is_empty() { String::new() } else { format!("`[{}]` ", section.name) };
            let default =
                own.and_then(|own| own.get(key.name)).map_or("unset".to_owned(), |it| format!("`{it}`"));
            let about = key.about.replace('\n', " ");
            writeln!(rows, "| {table}`{}` | {} | {default} | {about} |", key.name, key.takes).unwrap();
        }
    }
    assert!(DRAWN.contains(&rows), "the table should be:\n{rows}");
}

/// A reader learns of each key what it is for, what it takes, and where that ends.
#[test]
fn every_key_has_a_reason_and_a_limit() {
    for key in LAYOUT.iter().flat_map(|section| section.keys) {
        assert!(key.about.ends_with('.') && key.about.len() > 10, "{}", key.name);
        assert!(!key.takes.ends_with('.') && key.takes.len() > 5, "{}", key.name);
    }
}
