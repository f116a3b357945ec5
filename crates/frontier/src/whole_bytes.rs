//! Bytes in one piece: to serde a `Vec<u8>` is a row of numbers, each written and read for itself. The format has the same bytes
//! for both.

use serde::de::{Deserializer, Error, Visitor};
use serde::ser::Serializer;
use std::fmt;

pub(crate) fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_bytes(bytes)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    deserializer.deserialize_bytes(WholeBytes)
}

struct WholeBytes;

impl Visitor<'_> for WholeBytes {
    type Value = Vec<u8>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("bytes")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
        Ok(bytes.to_owned())
    }
}
