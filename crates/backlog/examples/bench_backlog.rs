//! Measures the sequential work of a shard job: merging a directory, writing and reading sections and queues.
//!
//! `cargo run --release -p backlog --example bench_backlog -- DIR URLS RECORDS ENTRIES LEVEL`: `RECORDS` records of about
//! 90 bytes, of which one in ten is replaced by an arrival; `ENTRIES` entries made of the lines of the file `URLS`, each
//! with six random digits and five bytes of counters behind it, in sections of 1,000 and of 20. Times are those of the
//! processor. The last line is JSON.

use backlog::{Backlog, Config, Job, Key, Outputs, QueueId, Released, Section};
use disk::{OsDisk, SharedDisk, read_all};
use meter::cpu_s;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stdx::Rng;

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, dir, urls, records, entries, level] = &arguments[..] else {
        panic!("usage: bench_backlog DIR URLS RECORDS ENTRIES LEVEL");
    };
    let (records, entries): (u64, u64) = (records.parse().unwrap(), entries.parse().unwrap());
    let disk: SharedDisk = Arc::new(OsDisk::new(PathBuf::from(dir)).unwrap());
    let config = Config { level: level.parse().unwrap(), ..Config::default() };
    let mut backlog = Backlog::open(disk, PathBuf::from("backlog"), config, None).unwrap();
    let texts = Texts::read(Path::new(urls), entries);
    let mut figures = Figures::default();
    directory(&mut backlog, records, &mut figures);
    for section_entries in [1000, 20] {
        sections(&mut backlog, &texts, section_entries, &mut figures);
    }
    queue(&mut backlog, &texts, &mut figures);
    println!("{}", figures.to_json());
}

/// Entries, made beforehand so that making them is not measured.
struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Texts {
    fn read(path: &Path, entries: u64) -> Self {
        let dir = OsDisk::new(path.parent().unwrap().to_owned()).unwrap();
        let file = read_all(&dir, Path::new(path.file_name().unwrap())).unwrap();
        let lines: Vec<&[u8]> = file.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
        let (mut bytes, mut ends, mut rng) = (Vec::new(), Vec::new(), Rng::new(1));
        for nth in 0..entries {
            bytes.extend_from_slice(lines[nth as usize % lines.len()]);
            let random = rng.next_u64();
            bytes.extend((0..6).map(|place| b"0123456789abcdef"[(random >> (4 * place)) as usize & 15]));
            bytes.extend([3, 0, 1, nth as u8, (nth >> 8) as u8]);
            ends.push(bytes.len());
        }
        Self { bytes, ends }
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.bytes[start..*end])
    }

    fn len(&self) -> u64 {
        self.ends.len() as u64
    }
}

#[derive(Default)]
struct Figures(Vec<(String, f64)>);

impl Figures {
    /// `count` things in the time since `started`, seconds of the processor.
    fn rate(&mut self, name: &str, count: u64, started: f64) {
        let millions = count as f64 / (cpu_s() - started) / 1e6;
        println!("{name}: {millions:.2} M a second of computing");
        self.0.push((format!("{name}_m_per_s"), millions));
    }

    fn ratio(&mut self, name: &str, raw: u64, stored: u64) {
        println!("{name}: {raw} bytes in {stored}");
        self.0.push((format!("{name}_ratio"), raw as f64 / stored as f64));
    }

    fn to_json(&self) -> String {
        let fields: Vec<String> =
            self.0.iter().map(|(name, figure)| format!("\"{name}\": {figure:.3}")).collect();
        format!("{{{}}}", fields.join(", "))
    }
}

fn run<T>(backlog: &mut Backlog, fill: impl FnOnce(&Job, &mut Outputs) -> T) -> T {
    let job = backlog.start_job();
    let (run, queues) = (job.new_run(), job.queues());
    let mut outputs = Outputs { directory: None, run, queues, released: Released::default() };
    let told = fill(&job, &mut outputs);
    let finished = job.finish(outputs).unwrap();
    backlog.finish_job(finished);
    told
}

/// A host's record: a name, some counters, and times.
fn payload(rng: &mut Rng, out: &mut Vec<u8>) {
    out.clear();
    let random = rng.next_u64();
    out.extend_from_slice(format!("www.host-{:x}.example.com", random & 0xFFFF_FFFF).as_bytes());
    out.extend_from_slice(&(1_700_000_000_000 + random % 100_000_000).to_le_bytes());
    out.extend_from_slice(&[1, (random >> 40) as u8, 0, 0, 0, (random >> 48) as u8 & 7, 0, 0, 0, 200, 0, 0]);
    out.extend_from_slice(&[0; 36]);
}

fn directory(backlog: &mut Backlog, records: u64, figures: &mut Figures) {
    let mut rng = Rng::new(2);
    let mut keys: Vec<Key> = (0..records)
        .map(|nth| Key { group: rng.next_u64() >> 1, host: if nth % 2 == 0 { 0 } else { rng.next_u64() } })
        .collect();
    keys.sort_unstable();
    let (mut text, mut raw) = (Vec::new(), 0);
    run(backlog, |job, outputs| {
        let mut new = job.new_directory();
        for key in &keys {
            payload(&mut rng, &mut text);
            raw += 16 + text.len() as u64;
            new.push(*key, &text).unwrap();
        }
        outputs.directory = Some(new);
    });
    figures.ratio("directory", raw, backlog.directory_bytes());
    let arrivals: Vec<Key> = keys.iter().step_by(10).copied().collect();
    let started = cpu_s();
    run(backlog, |job, outputs| {
        let (mut old, mut new, mut arrivals) =
            (job.join().unwrap(), job.new_directory(), arrivals.iter().peekable());
        while let Some(joined) = old.next(arrivals.peek().map(|key| **key)).unwrap() {
            let arrived = arrivals.next_if_eq(&&joined.key).map(|_| &text[..]);
            if let Some(payload) = arrived.or(joined.known) {
                new.push(joined.key, payload).unwrap();
            }
        }
        outputs.directory = Some(new);
    });
    assert_eq!(backlog.records(), records);
    figures.rate("directory_merged", records, started);
    let started = cpu_s();
    let job = backlog.start_job();
    let (mut reader, mut read) = (job.directory().unwrap(), 0);
    while reader.next().unwrap().is_some() {
        read += 1;
    }
    backlog.abandon_job();
    figures.rate("directory_read", read, started);
    let started = cpu_s();
    keys.iter().step_by(1000).for_each(|key| assert!(backlog.look_up(*key).unwrap().is_some()));
    figures.rate("looked_up", records / 1000, started);
}

fn sections(backlog: &mut Backlog, texts: &Texts, each: usize, figures: &mut Figures) {
    let started = cpu_s();
    let mut sections: Vec<Section> = Vec::new();
    run(backlog, |_, outputs| {
        let mut entries = texts.iter().peekable();
        while entries.peek().is_some() {
            outputs.run.begin();
            entries.by_ref().take(each).for_each(|entry| outputs.run.push(entry).unwrap());
            sections.extend(outputs.run.end().unwrap());
        }
    });
    figures.rate(&format!("written_by_{each}"), texts.len(), started);
    let stored = sections.iter().map(|section| section.bytes).sum();
    figures.ratio(&format!("sections_of_{each}"), texts.bytes.len() as u64, stored);
    let started = cpu_s();
    let copies = run(backlog, |job, outputs| {
        let mut runs = job.runs();
        let mut copy = |section: &Section| {
            outputs.run.begin();
            outputs.run.copy(&mut runs, *section).unwrap();
            outputs.released.add(*section);
            outputs.run.end().unwrap().unwrap()
        };
        sections.iter().map(&mut copy).collect::<Vec<Section>>()
    });
    figures.rate(&format!("copied_by_{each}"), texts.len(), started);
    let started = cpu_s();
    let (mut read, mut bytes) = (0, 0);
    let mut runs = backlog.start_job().runs();
    for section in &copies {
        runs.scan(*section, |entry| {
            read += 1;
            bytes += entry.len();
            Ok(())
        })
        .unwrap();
    }
    backlog.abandon_job();
    assert_eq!((read, bytes), (texts.len(), texts.bytes.len()));
    figures.rate(&format!("read_by_{each}"), read, started);
    let started = cpu_s();
    let heads =
        copies.iter().take(20_000).map(|section| backlog.take_head(*section).unwrap().entries.len() as u64);
    let count = copies.len().min(20_000) as u64;
    let taken: u64 = heads.sum();
    figures.rate(&format!("heads_by_{each}"), count, started);
    println!("{taken} entries in {count} heads");
}

fn queue(backlog: &mut Backlog, texts: &Texts, figures: &mut Figures) {
    let started = cpu_s();
    run(backlog, |_, outputs| {
        for (nth, entry) in texts.iter().enumerate() {
            outputs.queues.append(QueueId((nth % 10) as u8), entry).unwrap();
        }
    });
    figures.rate("queued", texts.len(), started);
    let started = cpu_s();
    let read = run(backlog, |_, outputs| {
        let mut read = 0;
        for queue in (0..10).map(QueueId) {
            while let Some(entries) = outputs.queues.read(queue).unwrap() {
                read += entries.iter().count() as u64;
            }
        }
        read
    });
    assert_eq!(read, texts.len());
    figures.rate("dequeued", read, started);
}
