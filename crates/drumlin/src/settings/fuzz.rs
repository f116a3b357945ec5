//! drumlin.toml on what nobody wrote.

use super::draft::faults;
use super::{Settings, explained, read};
use crate::config::Config;
use ::fuzz::Fuzz;

const WORDS: [&str; 24] = [
    "delay",
    "ip_delay",
    "groups",
    "uni=*.uni.example,library.example@2",
    "include",
    "[retry]",
    "[page]",
    "[folding]",
    "[log]",
    "attempts",
    "format",
    "profile",
    "\"broad\"",
    "scope",
    "allow_ip",
    "proxy",
    "\"1.5G\"",
    "\"10m\"",
    "\"\"\"",
    "[[",
    "= {",
    "\n",
    "-1",
    "1e400",
];

fn seeds() -> [String; 3] {
    let written = toml::to_string(&Settings::defaults().to_table()).expect("a table");
    let wrong =
        "dealy = 1\nconcurrency = 0\nscope = \"world\"\n[retry]\natempts = 3\n[page]\nbody = \"much\"\n";
    [written, explained(&Settings::defaults()), wrong.to_owned()]
}

/// As `config check` asks.
fn judge(settings: &Settings) -> Result<(), String> {
    let seeded = Settings { seed: Some("2a".to_owned()), ..Settings::defaults().overlaid(settings) };
    Config::new(&seeded).map(drop).map_err(|error| error.0)
}

/// What is read is written and read back; what is not is told line by line, and what is told is what kept it from being read.
#[test]
fn drumlin_toml() {
    Fuzz::new("drumlin_toml").seeds(seeds()).words(&WORDS).most_bytes(8 << 10).run(|input| {
        let text = String::from_utf8_lossy(input);
        let told = faults(&text, &judge);
        let lines = text.matches('\n').count() + 1;
        for fault in &told {
            assert!(fault.line.is_none_or(|line| (1..=lines).contains(&line)), "{fault:?}");
            assert!(!fault.reason.is_empty() && !fault.told("a").contains('\n'), "{fault:?}");
        }
        match read("a", &text) {
            Ok(settings) => {
                let written = toml::to_string(&settings.to_table()).expect("a table");
                assert_eq!(read("a", &written).expect("what was written"), settings);
                assert_eq!(told.is_empty(), judge(&settings).is_ok());
            }
            Err(error) => assert!(!told.is_empty() && !error.0.contains('\n'), "{error:?}"),
        }
    });
}
