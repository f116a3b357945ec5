use control::limits::BOUND;
use ipnet::IpNet;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;
use stdx::{UnitError, format_duration_ms, parse_bytes, parse_duration_ms};

/// A size: in files `"16M"` or a number of bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Size(pub(crate) u64);

/// A length of time: in files `"10m"` or a number of seconds. Held in milliseconds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span(pub(crate) u64);

/// Longer than any crawl, short enough to be added to any moment: a thousand years.
const SPAN_MAX_MS: u64 = 1000 * 366 * 24 * 3600 * 1000;

/// Larger than any disk (an exabyte), and a number that TOML can hold.
const SIZE_MAX: u64 = 1 << 60;

impl FromStr for Size {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        Ok(Self(parse_bytes(text)?.min(SIZE_MAX)))
    }
}

impl FromStr for Span {
    type Err = UnitError;
    fn from_str(text: &str) -> Result<Self, UnitError> {
        Ok(Self(parse_duration_ms(text)?.min(SPAN_MAX_MS)))
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&format_duration_ms(self.0))
    }
}

impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl Serialize for Span {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ms = self.0;
        let text = if ms.is_multiple_of(1000) { format!("{}s", ms / 1000) } else { format!("{ms}ms") };
        serializer.serialize_str(&text)
    }
}

impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NumberOrText::deserialize(deserializer)?.parse()
    }
}

impl<'de> Deserialize<'de> for Span {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        NumberOrText::deserialize(deserializer)?.parse()
    }
}

/// A number that a file can hold, so that what is read can be written.
pub(super) fn whole<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    match u64::deserialize(deserializer)? {
        number @ ..=BOUND => Ok(Some(number)),
        number => Err(de::Error::custom(format!("{number} is too large: {BOUND} is the most"))),
    }
}

/// A range of addresses; a bare address is the range of itself.
pub(crate) fn range(text: &str) -> Result<IpNet, String> {
    let range = text.parse().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    range.map_err(|_| format!("`{text}` is neither a range of addresses, such as 10.0.0.0/8, nor an address"))
}

/// Several of them.
pub(super) fn ranges<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<IpNet>>, D::Error> {
    list(deserializer, range)
}

/// Several addresses.
pub(super) fn addresses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<IpAddr>>, D::Error> {
    list(deserializer, |text| text.parse().map_err(|_| format!("`{text}` is not an IP address")))
}

fn list<'de, T, D: Deserializer<'de>>(
    deserializer: D,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<Vec<T>>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    each(&texts, |text| read(text)).map(Some).map_err(de::Error::custom)
}

/// What each of a list is, or what is wrong with every one that is wrong.
pub(crate) fn each<T>(
    texts: &[String],
    read: impl Fn(&String) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let (mut fine, mut faults) = (Vec::new(), Vec::new());
    for text in texts {
        match read(text) {
            Ok(value) => fine.push(value),
            Err(fault) => faults.push(fault),
        }
    }
    if faults.is_empty() { Ok(fine) } else { Err(faults.join("; ")) }
}

/// A bare number has the unit that a bare number has on the command line.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected a number, or a text such as \"10m\" or \"16M\"")]
enum NumberOrText {
    Whole(u64),
    Fraction(f64),
    Text(String),
}

impl NumberOrText {
    fn parse<T: FromStr<Err = UnitError>, E: de::Error>(self) -> Result<T, E> {
        let text = match self {
            Self::Whole(number) => number.to_string(),
            Self::Fraction(number) => number.to_string(),
            Self::Text(text) => text,
        };
        text.parse().map_err(E::custom)
    }
}
