use std::path::PathBuf;

pub(crate) struct Options {
    pub(crate) pages: u64,
    pub(crate) rounds: u32,
    pub(crate) answers: Vec<u32>,
    pub(crate) rivals: bool,
    pub(crate) dir: PathBuf,
    pub(crate) program: Option<PathBuf>,
    /// Pages of the crawl whose growth is looked at, instead of all else.
    pub(crate) growth: Option<u64>,
}

impl Options {
    pub(crate) fn parse(mut words: impl Iterator<Item = String>) -> Self {
        let mut options = Self {
            pages: 4_000,
            rounds: 3,
            answers: vec![1, 5, 20],
            rivals: true,
            dir: std::env::temp_dir(),
            program: None,
            growth: None,
        };
        while let Some(name) = words.next() {
            let value = words.next().unwrap_or_else(|| panic!("{name} needs a value"));
            match name.as_str() {
                "--pages" => options.pages = number(&value),
                "--rounds" => options.rounds = number(&value),
                "--answers" => options.answers = value.split(',').map(number).collect(),
                "--rivals" => options.rivals = value == "yes",
                "--growth" => options.growth = Some(number(&value)),
                "--program" => options.program = Some(value.into()),
                "--dir" => options.dir = value.into(),
                _ => panic!("no option {name}: see the head of bench_crawl.rs"),
            }
        }
        options
    }
}

fn number<N: std::str::FromStr>(text: &str) -> N {
    text.parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}
