use crate::Level;
use crate::limits::TEXT_BYTES;
use serde_json::{Map, Value};
use std::fmt::Write;
use stdx::WallTime;

/// Something that happened in a run, for one line.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    level: Level,
    fields: Map<String, Value>,
}

impl Event {
    /// `name` is a word that programs go by: `attempt-failed`.
    pub fn new(at: WallTime, level: Level, name: &str) -> Self {
        let fields = [("time", at.iso_millis()), ("level", level.to_string()), ("event", name.to_owned())];
        let fields = fields.map(|(name, value)| (name.to_owned(), Value::String(value)));
        Self { level, fields: fields.into_iter().collect() }
    }

    /// With one more particular. A text is cut after [`TEXT_BYTES`]; what is null is left out.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        let value = match value.into() {
            Value::Null => return self,
            Value::String(text) => Value::String(beginning(text)),
            other => other,
        };
        self.fields.insert(name.to_owned(), value);
        self
    }

    /// How much it matters.
    pub fn level(&self) -> Level {
        self.level
    }

    /// As JSON, in one line with its end.
    pub fn line(&self) -> String {
        let mut line = serde_json::to_string(&self.fields).expect("texts and numbers can be written");
        line.push('\n');
        line
    }
}

/// Shows a line of events to people: `10:28:04 ERROR attempt-failed url=… kind=local`. `None` for what is no such line.
pub fn for_people(line: &str) -> Option<String> {
    let fields: Map<String, Value> = serde_json::from_str(line).ok()?;
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    let (time, level, event) = (text("time")?, text("level")?, text("event")?);
    let clock = time.get(11..19)?;
    let mut shown = format!("{clock} {:<5} {event}", level.to_ascii_uppercase());
    for (name, value) in
        fields.iter().filter(|(name, _)| !["time", "level", "event"].contains(&name.as_str()))
    {
        write!(shown, " {name}={}", bare(value)).expect("a string takes any text");
    }
    // What a server said is not to move the cursor or to colour a terminal.
    Some(shown.replace(char::is_control, "\u{fffd}"))
}

/// Quoted only where it has to be.
fn bare(value: &Value) -> String {
    match value {
        Value::String(text) if !text.is_empty() && !text.contains([' ', '"']) => text.clone(),
        other => other.to_string(),
    }
}

fn beginning(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(TEXT_BYTES));
    text
}
