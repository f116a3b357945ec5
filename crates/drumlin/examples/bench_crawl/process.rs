//! What a process takes, as the system counts it.

use meter::peak_bytes_of;
use std::collections::BTreeMap;
use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// Clock ticks of /proc a second: the same on every Linux that people run.
const TICKS_A_SECOND: f64 = 100.0;

/// How often the threads are looked at. What the last look did not see counts for the process and for no thread.
const EVERY: Duration = Duration::from_millis(20);

pub(crate) struct Spent {
    pub(crate) user_s: f64,
    pub(crate) system_s: f64,
    pub(crate) wall_s: f64,
    pub(crate) peak_bytes: u64,
    /// By the name of the thread, those of one name together.
    pub(crate) threads: BTreeMap<String, f64>,
    pub(crate) succeeded: bool,
}

impl Spent {
    pub(crate) fn cpu_s(&self) -> f64 {
        self.user_s + self.system_s
    }
}

/// Runs it to its end, and looks on.
pub(crate) fn run(command: &mut Command) -> Spent {
    let (before, started) = (children(), Instant::now());
    let mut process = command.stdin(Stdio::null()).stdout(Stdio::null()).spawn().expect("a program");
    let (mut seen, mut peak_bytes) = (BTreeMap::new(), 0);
    let status = loop {
        if let Some(status) = process.try_wait().expect("our own child") {
            break status;
        }
        look(process.id(), &mut seen);
        peak_bytes = peak_bytes.max(peak_bytes_of(process.id()).unwrap_or(0));
        sleep(EVERY);
    };
    let (after, wall_s) = (children(), started.elapsed().as_secs_f64());
    let [user_s, system_s] = [after[0] - before[0], after[1] - before[1]].map(|ticks| ticks / TICKS_A_SECOND);
    Spent { user_s, system_s, wall_s, peak_bytes, threads: by_name(seen), succeeded: status.success() }
}

/// What a process that runs has taken so far; nothing if it does not run any more. Its wall time is since the system was started.
pub(crate) fn spent_by(process: u32) -> Option<Spent> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields = stat.rsplit_once(')')?.1;
    let [user_s, system_s] = [14, 15].map(|number| field(fields, number) / TICKS_A_SECOND);
    let mut seen = BTreeMap::new();
    look(process, &mut seen);
    let uptime = fs::read_to_string("/proc/uptime").ok()?;
    let wall_s = uptime.split_whitespace().next()?.parse().ok()?;
    let peak_bytes = peak_bytes_of(process).unwrap_or(0);
    Some(Spent { user_s, system_s, wall_s, peak_bytes, threads: by_name(seen), succeeded: true })
}

fn by_name(seen: BTreeMap<String, Thread>) -> BTreeMap<String, f64> {
    let mut threads = BTreeMap::new();
    for Thread { name, ticks } in seen.into_values() {
        *threads.entry(name).or_default() += ticks / TICKS_A_SECOND;
    }
    threads
}

struct Thread {
    name: String,
    ticks: f64,
}

fn look(process: u32, seen: &mut BTreeMap<String, Thread>) {
    let Ok(tasks) = fs::read_dir(format!("/proc/{process}/task")) else { return };
    for task in tasks.flatten() {
        let Ok(stat) = fs::read_to_string(task.path().join("stat")) else { continue };
        let Some((head, fields)) = stat.rsplit_once(')') else { continue };
        let name = head.split_once('(').map_or("", |(_, name)| name).to_owned();
        let ticks = field(fields, 14) + field(fields, 15);
        seen.insert(task.file_name().to_string_lossy().into_owned(), Thread { name, ticks });
    }
}

/// User and system ticks of all children that have been waited for.
fn children() -> [f64; 2] {
    let stat = fs::read_to_string("/proc/self/stat").expect("our own");
    let fields = stat.rsplit_once(')').expect("a name").1;
    [field(fields, 16), field(fields, 17)]
}

/// By its number in proc(5); `fields` begins behind the second.
fn field(fields: &str, number: usize) -> f64 {
    fields.split_whitespace().nth(number - 3).and_then(|field| field.parse().ok()).unwrap_or(0.0)
}
