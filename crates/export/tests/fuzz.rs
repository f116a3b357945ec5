//! A CDXJ index that nobody wrote: it becomes blocks and a table, or the line that is none is named.

use control::Takedowns;
use disk::{Disk as _, MemDisk, read_all, replace_file};
use export::{Error, cc_index, zipnum};
use fuzz::Fuzz;
use meter::Meter;
use std::io::Read as _;
use std::path::Path;

#[global_allocator]
static METER: Meter = Meter::new();

const INDEX: &str = "index.cdxj";

const SEEDS: [&str; 4] = [
    "test,site)/ 20261120102804 {\"url\": \"http://site.test/\", \"mime\": \"text/html\", \"status\": \"200\", \"digest\": \"sha1:AAAA\", \"length\": \"9\", \"offset\": \"0\", \"filename\": \"a.warc.gz\"}\n",
    "test,site)/a?b=c 20261120102805 {\"url\": \"https://x.site.test:8080/a?b=c\", \"length\": \"1\", \"offset\": \"2\", \"filename\": \"b\", \"redirect\": \"/d\", \"languages\": \"eng\", \"truncated\": \"length\"}\n",
    "a 1 {\"url\": \"dns:site.test\", \"length\": \"x\", \"offset\": \"-1\", \"filename\": \"\", \"status\": \"99999\"}\n\n",
    "),( 99999999999999 {\"url\": \"http://[::1]:81/?\", \"length\": \"18446744073709551616\", \"offset\": \"1\", \"filename\": \"c\", \"charset\": \"\u{fc}\"}\n",
];

const WORDS: [&str; 16] = [
    "\n",
    " {",
    "}\n",
    "\"url\": \"",
    "http://",
    "\"status\": \"",
    "-",
    "\"offset\": \"",
    "\"length\": \"",
    "\"filename\": \"",
    "\\u0000",
    "\\ud800",
    "test,",
    ")/",
    "20261120102804",
    "null",
];

/// What an export may take besides: readers, a compressor, a table's writers.
const FIXED_BYTES: usize = 32 << 20;

#[test]
fn cdxj_lines() {
    Fuzz::new("cdxj_lines").seeds(SEEDS).words(&WORDS).executions(1500).run(|input| {
        let peak = METER.peak_while(|| check(input));
        assert!(peak <= 256 * input.len() + FIXED_BYTES, "{peak} bytes for {}", input.len());
    });
}

fn check(input: &[u8]) {
    let (disk, dir) = (MemDisk::new(), Path::new("made"));
    replace_file(&disk, Path::new(INDEX), input).expect("memory");
    let lines = memchr::memchr_iter(b'\n', input).count() as u64;
    match zipnum(&disk, Path::new(INDEX), &Takedowns::default(), dir) {
        Ok(made) => {
            assert_eq!(made.lines, lines);
            assert_eq!(unzipped(&disk), input, "blocks hold the index");
        }
        Err(Error::Index { line, .. }) => assert!(line <= lines + 1, "{line} of {lines}"),
        Err(other) => panic!("{other}"),
    }
    match cc_index(&disk, Path::new(INDEX), &Takedowns::default(), dir, 1 << 20) {
        Ok(made) => assert_eq!(made.rows, lines),
        Err(Error::Index { line, .. }) => assert!(line <= lines + 1, "{line} of {lines}"),
        Err(other) => panic!("{other}"),
    }
}

fn unzipped(disk: &MemDisk) -> Vec<u8> {
    let path = Path::new("made/cdx-00000.gz");
    assert!(disk.stat(path).expect("memory").is_some());
    let (members, mut text) = (read_all(disk, path).expect("memory"), Vec::new());
    // An index without lines has no blocks, and what is empty is no member.
    if !members.is_empty() {
        flate2::read::MultiGzDecoder::new(&*members).read_to_end(&mut text).expect("members");
    }
    text
}
