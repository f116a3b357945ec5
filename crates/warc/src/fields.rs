use std::fmt::{Display, Write};

/// Named fields in the order they were written: a WARC header, or the body of an
/// `application/warc-fields` block. Names compare without case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    /// As they are written: `Name: value` lines, each ended by CRLF.
    lines: String,
    places: Vec<Place>,
}

/// Where in the lines a field stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    name: usize,
    name_end: usize,
    value_end: usize,
}

/// What the lines of a record about a page seldom exceed.
pub(crate) const LINES_BYTES: usize = 768;
/// … and how many they are.
const FIELDS: usize = 14;
const COLON: &str = ": ";
const LINE_END: &str = "\r\n";

impl Fields {
    /// No fields, with room for those of an ordinary record.
    pub fn new() -> Self {
        Self { lines: String::with_capacity(LINES_BYTES), places: Vec::with_capacity(FIELDS) }
    }

    /// Appends a field. Control characters in the value become spaces: a value is one line.
    pub fn push(&mut self, name: &str, value: impl Display) {
        self.push_with(name, |line| write!(line, "{value}").expect("a string takes any text"));
    }

    /// The same of a text.
    pub fn push_text(&mut self, name: &str, value: &str) {
        self.push_with(name, |line| line.push_str(value));
    }

    /// The same of what is appended to the line that it is given. A page has three records of a dozen fields: formatting them is half of
    /// what they cost.
    pub fn push_with(&mut self, name: &str, value: impl FnOnce(&mut String)) {
        let start = self.lines.len();
        let name_end = start + name.len();
        self.lines.extend([name, COLON]);
        value(&mut self.lines);
        make_one_line(&mut self.lines, name_end + COLON.len());
        self.places.push(Place { name: start, name_end, value_end: self.lines.len() });
        self.lines.push_str(LINE_END);
    }

    /// Appends a field if there is a value.
    pub fn push_some(&mut self, name: &str, value: Option<impl Display>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// The first value under `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        let place = self.places.iter().find(|place| self.name(place).eq_ignore_ascii_case(name));
        place.map(|place| self.value(place))
    }

    /// Every value under `name`, in order.
    pub fn get_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.places.iter().filter(move |place| self.name(place).eq_ignore_ascii_case(name));
        named.map(|place| self.value(place))
    }

    /// All names, in order, repeated as they are.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|place| self.name(place))
    }

    /// All values, in order.
    pub fn values(&self) -> impl Iterator<Item = &str> {
        self.places.iter().map(|place| self.value(place))
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// `Name: value` lines, each ended by CRLF.
    pub fn as_bytes(&self) -> &[u8] {
        self.lines.as_bytes()
    }

    fn name(&self, place: &Place) -> &str {
        &self.lines[place.name..place.name_end]
    }

    fn value(&self, place: &Place) -> &str {
        &self.lines[place.name_end + COLON.len()..place.value_end]
    }

    /// Appends to the last value.
    fn go_on(&mut self, more: &str) {
        let Some(last) = self.places.last_mut() else { return };
        self.lines.truncate(last.value_end);
        self.lines.extend([" ", more]);
        last.value_end = self.lines.len();
        self.lines.push_str(LINE_END);
    }

    /// Reads `Name: value` lines up to the end or the first empty line. A line that begins with a space
    /// or a tab continues the one before; a line without a colon is left out and counted.
    pub fn parse(text: &[u8]) -> ParsedFields {
        let mut parsed = ParsedFields { fields: Self::new(), malformed_lines: 0 };
        for line in text.split(|&b| b == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line)) {
            if line.is_empty() {
                break;
            }
            parsed.take_line(&String::from_utf8_lossy(line));
        }
        parsed
    }
}

/// What [`Fields::parse`] found.
#[derive(Debug, Default)]
pub struct ParsedFields {
    /// The fields.
    pub fields: Fields,
    /// Lines that are no field.
    pub malformed_lines: usize,
}

impl ParsedFields {
    fn take_line(&mut self, line: &str) {
        if line.starts_with([' ', '\t']) && !self.fields.is_empty() {
            return self.fields.go_on(line.trim());
        }
        match line.split_once(':') {
            Some((name, value)) if stdx::is_token(name) => self.fields.push_text(name, value.trim()),
            _ => self.malformed_lines += 1,
        }
    }
}

/// Makes what follows `from` one line: control characters become spaces, and what is blank at its ends goes.
fn make_one_line(text: &mut String, from: usize) {
    let value = &text[from..];
    // Without an end in between, many bytes are looked at together.
    let is_plain = value.bytes().fold(true, |plain, byte| plain & matches!(byte, b' '..=b'~'));
    if !is_plain || value.trim_ascii().len() < value.len() {
        let line = value.replace(|c: char| c.is_control(), " ");
        text.truncate(from);
        text.push_str(line.trim());
    }
}
