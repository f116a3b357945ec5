//! Reading cases, asking the program, counting.

use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

/// Runs the program with these arguments and this standard input; its standard output.
pub(crate) fn drumlin(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_drumlin"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("piped");
    let output = thread::scope(|scope| {
        let writer = scope.spawn(move || stdin.write_all(input));
        let output = child.wait_with_output().expect("the program ends");
        writer.join().expect("no panic").expect("the program reads all its input");
        output
    });
    assert!(output.status.success(), "drumlin {arguments:?}: {}", output.status);
    output.stdout
}

/// One answer a question, in order.
pub(crate) fn ask(kind: &str, questions: &[Value]) -> Vec<Value> {
    let lines: Vec<String> = questions.iter().map(|question| format!("{question}\n")).collect();
    let output = drumlin(&["probe", kind], lines.concat().as_bytes());
    let output = String::from_utf8(output).expect("answers are UTF-8");
    let answer = |line| serde_json::from_str(line).expect("an answer is JSON");
    let answers: Vec<Value> = output.lines().map(answer).collect();
    assert_eq!(answers.len(), questions.len(), "one answer a question");
    answers
}

/// A string of a case.
pub(crate) fn text_of(value: &Value) -> &str {
    value.as_str().expect("a string")
}

/// A string, or bytes written as `{"__b": "…"}` with a character a byte.
pub(crate) fn bytes_of(value: &Value) -> Vec<u8> {
    match value["__b"].as_str() {
        Some(bytes) => bytes.chars().map(|c| u8::try_from(u32::from(c)).expect("a byte")).collect(),
        None => text_of(value).as_bytes().to_owned(),
    }
}

/// How many cases of each group were answered well.
pub(crate) struct Tally {
    suite: String,
    groups: BTreeMap<String, Group>,
}

#[derive(Default)]
struct Group {
    good: usize,
    all: usize,
    wrong: Vec<String>,
}

/// Wrong cases shown of a group.
const SHOWN: usize = 10;

impl Tally {
    pub(crate) fn new(suite: &str) -> Self {
        Self { suite: suite.to_owned(), groups: BTreeMap::new() }
    }

    /// Counts one case.
    pub(crate) fn add(&mut self, group: &str, good: bool, case: &Value, answer: &Value) {
        let group = self.groups.entry(group.to_owned()).or_default();
        group.all += 1;
        group.good += usize::from(good);
        if !good && group.wrong.len() < SHOWN {
            let brief = |value: &Value| value.to_string().chars().take(600).collect::<String>();
            group.wrong.push(format!("{} -> {}", brief(case), brief(answer)));
        }
    }

    /// Prints the rate of every group.
    pub(crate) fn print(&self) {
        for (name, group) in &self.groups {
            println!("{} {name}: {} of {}", self.suite, group.good, group.all);
        }
    }

    /// Asserts that at least `percent` of a group are good; without the suite everything holds.
    pub(crate) fn holds(&self, name: &str, percent: f64) {
        let Some(group) = self.groups.get(name) else {
            assert!(self.groups.is_empty(), "{} has no cases of {name}", self.suite);
            return;
        };
        let rate = 100.0 * group.good as f64 / group.all as f64;
        assert!(rate >= percent, "{} {name}: {rate:.1} %\n{}", self.suite, group.wrong.join("\n"));
    }
}
