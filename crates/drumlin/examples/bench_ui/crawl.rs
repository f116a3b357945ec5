//! The crawl that is looked at.

use crate::web::Served;
use serde_json::Value;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Clock ticks of /proc a second: the same on every Linux that people run.
const TICKS_A_SECOND: f64 = 100.0;

/// The threads that serve the dashboard.
const SERVING: [&str; 2] = ["ui", "ui-ask"];

/// The program of this commit, as it is shipped.
pub(crate) fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    let built = command.args(["build", "--release", "--locked", "--package", "drumlin"]).status();
    assert!(built.expect("cargo").success(), "the program does not build");
    let this = std::env::current_exe().expect("this program");
    this.parent().and_then(Path::parent).expect("target/release/examples").join("drumlin")
}

/// A crawl that runs until this is dropped.
pub(crate) struct Crawl {
    /// The dashboard's, with its token.
    pub(crate) address: String,
    dir: PathBuf,
    process: Child,
}

/// What was used between two looks.
#[derive(Debug)]
pub(crate) struct Used {
    pub(crate) process_s: f64,
    pub(crate) serving_s: f64,
    pub(crate) asked_s: f64,
    pages: f64,
}

impl Crawl {
    pub(crate) fn start(program: &Path, place: &Path, web: &Served) -> Self {
        let (seeds, said, dir) = (place.join("seeds.txt"), place.join("said"), place.join("crawl"));
        fs::write(&seeds, web.seeds.join("\n")).expect("a file");
        let mut command = Command::new(program);
        command.args(["crawl", "--scope", "any", "--contact", "bench@drumlin.example", "--ui=127.0.0.1:0"]);
        command.args(["--delay", "0", "--ip-delay", "0", "--allow-ip", "127.0.0.0/8", "--dns", &web.dns]);
        command.arg("--seeds").arg(&seeds).arg("--dir").arg(&dir).arg("--quiet");
        let process = command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(File::create(&said).expect("a file"))
            .spawn()
            .expect("the program");
        let address = loop {
            let text = fs::read_to_string(&said).unwrap_or_default();
            if let Some(at) = text.split_whitespace().find(|word| word.contains("/#token=")) {
                break at.to_owned();
            }
            sleep(Duration::from_millis(100));
        };
        Self { address, dir, process }
    }

    /// Waits until so many pages are there, and says every half minute how many are.
    pub(crate) fn wait_for(&self, pages: u64) {
        let begun = Instant::now();
        for look in 0_u64.. {
            let there = self.pages();
            if there >= pages as f64 {
                return;
            }
            if look.is_multiple_of(15) {
                eprintln!("{there} of {pages} pages, {:.0} a second", there / begun.elapsed().as_secs_f64());
            }
            sleep(Duration::from_secs(2));
        }
    }

    /// As the crawl tells it, through its socket.
    pub(crate) fn standing(&self) -> Value {
        let said = self.ask().unwrap_or_default();
        let body = said.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        serde_json::from_str(body).unwrap_or_default()
    }

    fn ask(&self) -> std::io::Result<String> {
        let mut stream = UnixStream::connect(self.dir.join("state/control.sock"))?;
        stream.write_all(b"GET /api/v1/snapshot HTTP/1.1\r\nHost: drumlin\r\nConnection: close\r\n\r\n")?;
        let mut said = String::new();
        stream.read_to_string(&mut said)?;
        Ok(said)
    }

    fn pages(&self) -> f64 {
        self.standing()["snapshot"]["pages"].as_f64().unwrap_or(0.0)
    }

    /// What is used while something is done.
    pub(crate) fn measure(&self, act: impl FnOnce()) -> Used {
        let before = self.used();
        act();
        let after = self.used();
        Used {
            process_s: after.process_s - before.process_s,
            serving_s: after.serving_s - before.serving_s,
            asked_s: after.asked_s - before.asked_s,
            pages: after.pages - before.pages,
        }
    }

    fn used(&self) -> Used {
        let standing = self.standing();
        let process = format!("/proc/{}", self.process.id());
        let threads = fs::read_dir(format!("{process}/task")).expect("it runs").flatten();
        let serving = threads.filter(|task| {
            let name = fs::read_to_string(task.path().join("comm")).unwrap_or_default();
            SERVING.contains(&name.trim())
        });
        Used {
            process_s: seconds(Path::new(&process)),
            serving_s: serving.map(|task| seconds(&task.path())).sum(),
            asked_s: standing["snapshot"]["resources"]["asked_us"].as_f64().unwrap_or(0.0) / 1e6,
            pages: standing["snapshot"]["pages"].as_f64().unwrap_or(0.0),
        }
    }
}

impl Drop for Crawl {
    fn drop(&mut self) {
        let _ = self.process.kill().and_then(|()| self.process.wait());
    }
}

impl Used {
    pub(crate) fn a_page_us(&self) -> f64 {
        (self.process_s / self.pages * 1e6).round()
    }
}

/// User and system time of a process or a thread.
fn seconds(place: &Path) -> f64 {
    let stat = fs::read_to_string(place.join("stat")).unwrap_or_default();
    let fields = stat.rsplit_once(')').map_or("", |(_, fields)| fields);
    // Fields 14 and 15 of proc(5); these begin with the third.
    let field = |number: usize| fields.split_whitespace().nth(number - 3).and_then(|f| f.parse::<f64>().ok());
    (field(14).unwrap_or(0.0) + field(15).unwrap_or(0.0)) / TICKS_A_SECOND
}
