use super::answer::Problem;
use data_encoding::BASE64;
use serde_json::{Map, Value};
use std::borrow::Cow;

/// One line of input: an object. Fields that nobody asks for are ignored.
pub(super) struct Question(Map<String, Value>);

impl Question {
    /// Reads a line.
    pub(super) fn read(line: &[u8]) -> Result<Self, Problem> {
        match serde_json::from_slice(line.trim_ascii()) {
            Ok(Value::Object(fields)) => Ok(Self(fields)),
            Ok(_) => Err(Problem::NotAnObject),
            Err(error) => Err(Problem::NotJson(error.to_string())),
        }
    }

    /// A field that must be a string.
    pub(super) fn text(&self, name: &'static str) -> Result<&str, Problem> {
        self.optional_text(name)?.ok_or(Problem::Missing(name))
    }

    /// A field that may be absent or null.
    pub(super) fn optional_text(&self, name: &'static str) -> Result<Option<&str>, Problem> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Problem::Wrong(name, "a string")),
        }
    }

    /// Bytes: the field as UTF-8, or `NAME_b64` in base64.
    pub(super) fn bytes(&self, name: &'static str) -> Result<Cow<'_, [u8]>, Problem> {
        if let Some(text) = self.optional_text(name)? {
            return Ok(Cow::Borrowed(text.as_bytes()));
        }
        match self.0.get(&format!("{name}_b64")) {
            Some(Value::String(text)) => {
                let bytes = BASE64.decode(text.as_bytes());
                bytes.map(Cow::Owned).map_err(|_| Problem::Wrong(name, "base64 in its _b64 form"))
            }
            Some(_) => Err(Problem::Wrong(name, "a string in its _b64 form")),
            None => Err(Problem::Missing(name)),
        }
    }

    /// Name and value of each header; a list of values gives as many headers.
    pub(super) fn headers(&self) -> Result<Vec<page::Header<'_>>, Problem> {
        let wrong = Problem::Wrong("headers", "an object of strings or lists of strings");
        let fields = match self.0.get("headers") {
            None | Some(Value::Null) => return Ok(Vec::new()),
            Some(Value::Object(fields)) => fields,
            Some(_) => return Err(wrong),
        };
        let values = fields.iter().flat_map(|(name, value)| {
            let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
            values.iter().map(move |value| Some(page::Header { name, value: value.as_str()? }))
        });
        values.collect::<Option<Vec<_>>>().ok_or(wrong)
    }
}
