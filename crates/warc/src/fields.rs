/// Named fields in the order they were written: a WARC header, or the body of an
/// `application/warc-fields` block. Names compare without case.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields {
    list: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Field {
    name: String,
    value: String,
}

impl Fields {
    /// No fields.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends a field. Control characters in the value become spaces: a value is one line.
    pub fn push(&mut self, name: &str, value: &str) {
        let value = value.replace(|c: char| c.is_control(), " ").trim().to_owned();
        self.list.push(Field { name: name.to_owned(), value });
    }

    /// Appends a field if there is a value.
    pub fn push_some(&mut self, name: &str, value: Option<&str>) {
        if let Some(value) = value {
            self.push(name, value);
        }
    }

    /// The first value under `name`.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.list.iter().find(|f| f.name.eq_ignore_ascii_case(name)).map(|f| f.value.as_str())
    }

    /// Every value under `name`, in order.
    pub fn get_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.list.iter().filter(move |f| f.name.eq_ignore_ascii_case(name)).map(|f| f.value.as_str())
    }

    /// All names, in order, repeated as they are.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.list.iter().map(|f| f.name.as_str())
    }

    /// How many fields there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// `Name: value` lines, each ended by CRLF.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for field in &self.list {
            for part in [field.name.as_str(), ": ", &field.value, "\r\n"] {
                out.extend_from_slice(part.as_bytes());
            }
        }
        out
    }

    /// Reads `Name: value` lines up to the end or the first empty line. A line that begins with a space
    /// or a tab continues the one before; a line without a colon is left out and counted.
    pub fn parse(text: &[u8]) -> ParsedFields {
        let mut parsed = ParsedFields::default();
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
        if line.starts_with([' ', '\t'])
            && let Some(last) = self.fields.list.last_mut()
        {
            last.value.push(' ');
            last.value.push_str(line.trim());
            return;
        }
        match line.split_once(':') {
            Some((name, value)) if is_token(name) => self.fields.push(name, value),
            _ => self.malformed_lines += 1,
        }
    }
}

fn is_token(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_graphic() && !b"()<>@,;:\\\"/[]?={}".contains(&b))
}
