use super::confine::Confinement;
use super::edge;
use super::holdings::{Holdings, is_warc, names_in};
use serde_json::Value;
use std::fs::{self, File};
use std::net::SocketAddr;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_drumlin");

/// Longer than any crawl here takes on a busy machine: a crawl that hangs fails its test instead of blocking it.
const PATIENCE: Duration = Duration::from_mins(4);

/// A crawl in a directory of its own, begun and gone on with by one and the same command.
pub(crate) struct Crawl {
    room: TempDir,
    flags: Vec<String>,
    seeds: Vec<String>,
    config: String,
}

/// How a run of it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// What the shell would see; none if a signal ended it.
    pub(crate) code: Option<i32>,
    /// The signal, if one did.
    pub(crate) signal: Option<i32>,
    /// The last JSON line: null if there was none.
    pub(crate) end: Value,
    /// What was said on standard error.
    pub(crate) said: String,
}

/// A run of it that is under way; dropping it kills it.
pub(crate) struct Run<'a> {
    crawl: &'a Crawl,
    child: Child,
}

impl Crawl {
    /// A crawl of loopback with the names that `dns` knows: no delays, scope `any`, retries within a second.
    pub(crate) fn new(dns: SocketAddr, seeds: &[&str]) -> Self {
        let crawl = Self {
            room: TempDir::with_prefix("drumlin-").expect("a temporary directory"),
            flags: Vec::new(),
            seeds: seeds.iter().map(|&seed| seed.to_owned()).collect(),
            config: "[retry]\nbase = 0.2\nmax = 1\noverload = 0.2\n".to_owned(),
        };
        crawl
            .flag("--scope", "any")
            .flag("--contact", "tests@drumlin.test")
            .flag("--allow-ip", "127.0.0.0/8")
            .flag("--dns", &dns.to_string())
            .flag("--delay", "0")
            .flag("--ip-delay", "0")
    }

    /// Sets a flag, in place of what it was.
    #[must_use]
    pub(crate) fn flag(mut self, name: &str, value: &str) -> Self {
        if let Some(at) = self.flags.iter().position(|flag| flag == name) {
            self.flags.drain(at..at + 2);
        }
        self.flags.extend([name.to_owned(), value.to_owned()]);
        self
    }

    /// Lines for the file of settings.
    #[must_use]
    pub(crate) fn config(mut self, lines: &str) -> Self {
        lines.clone_into(&mut self.config);
        self
    }

    /// A file beside the crawl's directory.
    pub(crate) fn file(&self, name: &str, content: &str) -> String {
        let path = self.room.path().join(name);
        fs::write(&path, content).expect("a file in a temporary directory");
        path.display().to_string()
    }

    /// The crawl's directory.
    pub(crate) fn dir(&self) -> PathBuf {
        self.room.path().join("crawl")
    }

    /// Its WARC files.
    pub(crate) fn warc_files(&self) -> Vec<PathBuf> {
        let dir = self.dir().join("archive");
        let files: Vec<PathBuf> =
            names_in(&dir).iter().filter(|name| is_warc(name)).map(|name| dir.join(name)).collect();
        assert!(!files.is_empty());
        files
    }

    /// Runs it to an end of its own.
    pub(crate) fn run(&self) -> Ended {
        self.start().wait()
    }

    /// Runs it until it is done.
    pub(crate) fn run_to_the_end(&self) -> Holdings {
        let ended = self.run();
        assert_eq!(ended.code, Some(0), "{ended:?}");
        self.holdings()
    }

    /// Starts it.
    pub(crate) fn start(&self) -> Run<'_> {
        self.start_with(&[])
    }

    /// Starts it with environment variables.
    pub(crate) fn start_with(&self, variables: &[(&str, String)]) -> Run<'_> {
        let mut command = Command::new(PROGRAM);
        command.envs(variables.iter().map(|(name, value)| (name, value)));
        self.spawn(command)
    }

    /// Starts it under a limit on its memory.
    pub(crate) fn start_within(&self, confinement: &Confinement) -> Run<'_> {
        self.spawn(confinement.command(PROGRAM))
    }

    fn spawn(&self, mut command: Command) -> Run<'_> {
        let config = self.file("settings.toml", &self.config);
        let output =
            |name: &str| File::create(self.room.path().join(name)).expect("a file in a temporary directory");
        let child = command
            .arg("crawl")
            .args(&self.seeds)
            .args(&self.flags)
            .args(["--config", &config, "--json", "--quiet", "--dir"])
            .arg(self.dir())
            .stdin(Stdio::null())
            .stdout(output("stdout"))
            .stderr(output("stderr"))
            .spawn()
            .expect("the program starts");
        Run { crawl: self, child }
    }

    /// What its run has said on standard error so far.
    pub(crate) fn said(&self) -> String {
        fs::read_to_string(self.room.path().join("stderr")).unwrap_or_default()
    }

    /// What it has archived; no run may be under way.
    pub(crate) fn holdings(&self) -> Holdings {
        Holdings::read(&self.dir())
    }

    fn ended(&self, status: ExitStatus) -> Ended {
        let text =
            |name: &str| fs::read_to_string(self.room.path().join(name)).expect("output that was kept");
        let end = text("stdout").lines().last().and_then(|line| serde_json::from_str(line).ok());
        Ended {
            code: status.code(),
            signal: status.signal(),
            end: end.unwrap_or_default(),
            said: text("stderr"),
        }
    }
}

impl Run<'_> {
    /// Waits for its end.
    pub(crate) fn wait(mut self) -> Ended {
        let ended = edge::await_until(PATIENCE, || self.is_over());
        assert!(ended, "a crawl does not end: {}", self.crawl.dir().display());
        let status = self.child.wait().expect("a child");
        self.crawl.ended(status)
    }

    /// Whether it has ended.
    pub(crate) fn is_over(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// The most it has had resident so far; none when it has ended.
    pub(crate) fn peak_bytes(&self) -> Option<u64> {
        meter::peak_bytes_of(self.child.id())
    }

    /// Ctrl-C.
    pub(crate) fn interrupt(&self) {
        let sent = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status();
        assert!(sent.expect("kill is there").success(), "the crawl is gone already");
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("a child");
        self.child.wait().expect("a child");
    }
}

impl Drop for Crawl {
    /// What a failed test leaves is looked at.
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.room.disable_cleanup(true);
            println!("left for you: {}", self.dir().display());
        }
    }
}

impl Drop for Run<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
