use std::path::PathBuf;

pub(crate) struct Options {
    pub(crate) fingerprints: u64,
    pub(crate) lookups: u64,
    pub(crate) batch: u64,
    pub(crate) brute: u64,
    pub(crate) checked: usize,
    pub(crate) data: PathBuf,
    pub(crate) texts: Option<PathBuf>,
    pub(crate) dir: PathBuf,
}

impl Options {
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            fingerprints: 10_000_000,
            lookups: 1_000_000,
            batch: 4_000_000,
            brute: 1_000_000,
            checked: 200,
            data: testdata::path("").unwrap_or_default(),
            texts: None,
            dir: std::env::temp_dir(),
        };
        while let Some(name) = words.next() {
            let value = words.next().unwrap_or_else(|| panic!("{name} needs a value"));
            match name.as_str() {
                "--fingerprints" => options.fingerprints = number(&value),
                "--lookups" => options.lookups = number(&value),
                "--batch" => options.batch = number(&value),
                "--brute" => options.brute = number(&value),
                "--checked" => options.checked = number(&value) as usize,
                "--data" => options.data = value.into(),
                "--texts" => options.texts = Some(value.into()),
                "--dir" => options.dir = value.into(),
                _ => panic!("no option {name}: see the head of bench_near.rs"),
            }
        }
        options
    }
}

fn number(text: &str) -> u64 {
    text.parse::<f64>().unwrap_or_else(|_| panic!("`{text}` is no number")) as u64
}
