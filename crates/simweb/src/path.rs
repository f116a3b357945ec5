use crate::character::{Character, PathStyle};
use crate::draw::{Purpose, hash};
use crate::host::{read_number, write_number};
use crate::place::{LEAVES, Leaf, What};

/// Appends path and query. Mirrors have the paths of their original.
pub(crate) fn write_target(seed: u64, host: &Character, what: What, out: &mut String) {
    match what {
        What::Page(index) => write_page(seed, host, index, out),
        What::Leaf(Leaf::Print, index) => write_print(seed, host, index, out),
        What::Leaf(leaf, index) => write_leaf(leaf, index, out),
        What::Hop { left, page } => write_numbers(out, "/hop/", left, page),
        What::Month(month) => write_numbers(out, "/calendar/", month / 12, month % 12 + 1),
        What::Maze(depth) => {
            out.push_str(MAZE);
            (0..depth).for_each(|_| out.push_str(MAZE_STEP));
        }
        What::Robots => out.push_str("/robots.txt"),
        What::Policy => out.push_str("/robots-policy.txt"),
        What::Sitemap => out.push_str("/sitemap.xml"),
        What::SitemapPart(part) => write_part(part, out),
        What::Nothing => out.push_str("/nothing-here"),
    }
}

/// What a path (percent-escapes in upper case) names by its form alone; whether the host has so
/// many pages is for the caller. `query` is what is left of it once session and tracking are gone.
pub(crate) fn read_target(seed: u64, host: &Character, path: &str, query: &[(&str, &str)]) -> What {
    let (print, query): (Vec<_>, Vec<_>) = query.iter().partition(|pair| **pair == ("print", "1"));
    let what = match read_page(seed, host, path, &query) {
        Some(index) => What::Page(index),
        None if query.is_empty() => read_fixed(path).unwrap_or(What::Nothing),
        None => What::Nothing,
    };
    match (what, print.len()) {
        (_, 0) => what,
        (What::Page(index), 1) => What::Leaf(Leaf::Print, index),
        _ => What::Nothing,
    }
}

/// Where the maze begins, and the folder it adds with every step.
pub(crate) const MAZE: &str = "/attic/";
/// One step into the maze, relative to where one stands.
pub(crate) const MAZE_STEP: &str = "more/attic/";

const WIKI_WORDS: [&str; 8] = [
    "Caf%C3%A9",
    "M%C3%BCnster",
    "%C5%81%C3%B3d%C5%BA",
    "Sm%C3%B6rg%C3%A5s",
    "Reykjav%C3%ADk",
    "%D0%9C%D0%B8%D1%80",
    "Na%C3%AFve",
    "%E6%9D%B1%E4%BA%AC",
];

fn write_page(seed: u64, host: &Character, index: u64, out: &mut String) {
    if index == 0 {
        return out.push('/');
    }
    let pick = hash(seed, Purpose::Slug, host.original.word(), index);
    let slugs = host.language.slugs();
    let (first, second) = (slugs[(pick >> 8) as usize % 32], slugs[(pick >> 16) as usize % 32]);
    let section = slugs[(pick as usize % 8) + (host.original.domain as usize % 24)];
    match host.paths {
        PathStyle::Sections => {
            out.extend(["/", section, "/", first, "-", second, "-"]);
            write_number(out, index);
            out.push_str(".html");
        }
        PathStyle::Folders => {
            out.extend(["/", section, "/"]);
            write_number(out, 2004 + (pick >> 32) % 22);
            out.extend(["/", first, "-"]);
            write_number(out, index);
            out.push('/');
        }
        PathStyle::Query => {
            out.push_str("/article?id=");
            write_number(out, index);
            out.extend(["&lang=", host.language.code()]);
        }
        PathStyle::Wiki => {
            out.extend(["/wiki/", WIKI_WORDS[(pick >> 40) as usize % 8], "_", first, "_"]);
            write_number(out, index);
        }
    }
}

fn read_page(seed: u64, host: &Character, path: &str, query: &[&(&str, &str)]) -> Option<u64> {
    if path == "/" {
        return query.is_empty().then_some(0);
    }
    if host.paths == PathStyle::Query {
        return read_article(host, path, query);
    }
    let number = match host.paths {
        PathStyle::Sections => path.strip_suffix(".html")?.rsplit_once('-')?.1,
        PathStyle::Folders => path.strip_suffix('/')?.rsplit_once('-')?.1,
        _ => path.rsplit_once('_')?.1,
    };
    let index = read_number(number).filter(|index| *index > 0)?;
    let mut written = String::with_capacity(64);
    write_page(seed, host, index, &mut written);
    (query.is_empty() && written == path).then_some(index)
}

fn read_article(host: &Character, path: &str, query: &[&(&str, &str)]) -> Option<u64> {
    let value = |name| query.iter().find(|pair| pair.0 == name).map(|pair| pair.1);
    let fits = path == "/article" && query.len() == 2 && value("lang") == Some(host.language.code());
    read_number(value("id")?).filter(|index| fits && *index > 0)
}

fn write_print(seed: u64, host: &Character, index: u64, out: &mut String) {
    let start = out.len();
    write_page(seed, host, index, out);
    let joint = if out[start..].contains('?') { '&' } else { '?' };
    out.push(joint);
    out.push_str("print=1");
}

fn write_leaf(leaf: Leaf, index: u64, out: &mut String) {
    let (_, prefix, suffix) =
        LEAVES.iter().find(|row| row.0 == leaf).expect("every leaf but Print has a row");
    out.push_str(prefix);
    write_number(out, index);
    out.push_str(suffix);
}

fn write_numbers(out: &mut String, prefix: &str, first: u64, second: u64) {
    out.push_str(prefix);
    write_number(out, first);
    out.push('/');
    write_number(out, second);
}

fn write_part(part: u64, out: &mut String) {
    out.push_str("/sitemap-");
    write_number(out, part);
    out.push_str(if part.is_multiple_of(2) { ".xml" } else { ".xml.gz" });
}

fn read_fixed(path: &str) -> Option<What> {
    match path {
        "/robots.txt" => Some(What::Robots),
        "/robots-policy.txt" => Some(What::Policy),
        "/sitemap.xml" => Some(What::Sitemap),
        _ => read_leaf(path).or_else(|| read_numbered(path)),
    }
}

fn read_leaf(path: &str) -> Option<What> {
    LEAVES.iter().find_map(|(leaf, prefix, suffix)| {
        let number = path.strip_prefix(prefix)?.strip_suffix(suffix)?;
        read_number(number).map(|index| What::Leaf(*leaf, index))
    })
}

fn read_numbered(path: &str) -> Option<What> {
    if let Some(rest) = path.strip_prefix("/hop/") {
        let (left, page) = rest.split_once('/')?;
        return Some(What::Hop { left: read_number(left)?, page: read_number(page)? });
    }
    if let Some(rest) = path.strip_prefix("/calendar/") {
        let (year, month) = rest.split_once('/')?;
        let (year, month) = (read_number(year)?, read_number(month)?);
        return ((1..=12).contains(&month))
            .then(|| What::Month(year.saturating_mul(12).saturating_add(month - 1)));
    }
    if let Some(rest) = path.strip_prefix("/sitemap-") {
        return read_part(rest);
    }
    read_maze(path)
}

fn read_part(rest: &str) -> Option<What> {
    let (number, suffix) = rest.split_once('.')?;
    let part = read_number(number)?;
    let right = if part.is_multiple_of(2) { "xml" } else { "xml.gz" };
    (suffix == right).then_some(What::SitemapPart(part))
}

fn read_maze(path: &str) -> Option<What> {
    let mut rest = path.strip_prefix(MAZE)?;
    let mut depth = 0;
    while let Some(deeper) = rest.strip_prefix(MAZE_STEP) {
        rest = deeper;
        depth += 1;
    }
    rest.is_empty().then_some(What::Maze(depth))
}
