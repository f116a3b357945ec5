use super::super::{Settings, read};
use super::{LAYOUT, explained};

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
