/// What is kept with a key: a fixed number of bytes.
pub trait Value: Copy + Send + Sync + 'static {
    /// Bytes on disk.
    const SIZE: usize;
    /// Writes exactly [`Value::SIZE`] bytes.
    fn encode(&self, out: &mut [u8]);
    /// Reads what `encode` wrote.
    fn decode(bytes: &[u8]) -> Self;
    /// What is kept when `update` comes for a key that has `self`.
    #[must_use]
    fn merge(self, update: Self) -> Self;
}

/// No value: a set of keys.
impl Value for () {
    const SIZE: usize = 0;
    fn encode(&self, _: &mut [u8]) {}
    fn decode(_: &[u8]) {}
    fn merge(self, (): ()) {}
}

pub(crate) fn append_value<V: Value>(out: &mut Vec<u8>, value: &V) {
    let start = out.len();
    out.resize(start + V::SIZE, 0);
    value.encode(&mut out[start..]);
}
