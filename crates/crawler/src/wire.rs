use serde::Serialize;
use serde::de::DeserializeOwned;

/// Format of what is inside a message; stands before it.
const VERSION: u8 = 1;

/// The body of a message between nodes: `docs/formats/messages.md`.
pub(crate) fn encode<T: Serialize>(body: &T) -> Vec<u8> {
    postcard::to_extend(body, vec![VERSION]).expect("bodies are plain data")
}

/// Reads the body of a message. One that can't be read, or that a program of another time wrote, is as good as lost: who
/// sent it sends it again.
pub(crate) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    let (&version, body) = bytes.split_first()?;
    let (body, rest) = postcard::take_from_bytes(body).ok()?;
    (version == VERSION && rest.is_empty()).then_some(body)
}
