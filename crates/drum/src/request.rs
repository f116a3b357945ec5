/// The three operations (IRLbot §IV-C); requests of all kinds may be mixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Request<V> {
    /// Tell whether the key is there, and with which value.
    Check,
    /// Merge the value into the key's, or add the key. No verdict.
    Update(V),
    /// Both, in one pass: the verdict tells what was there before.
    CheckUpdate(V),
}

/// The answer to one check or check+update.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Verdict<'a, V> {
    /// The key asked for.
    pub key: u64,
    /// What the key had when this request's turn came; `None` means unique.
    pub before: Option<V>,
    /// What the request brought; `None` for a mere check.
    pub update: Option<V>,
    /// What was appended with the request.
    pub aux: &'a [u8],
}

impl<V> Verdict<'_, V> {
    /// Whether the key had not been there.
    pub fn is_unique(&self) -> bool {
        self.before.is_none()
    }
}

/// A request without its value, as bucket files write it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Op {
    Check = 0,
    Update = 1,
    CheckUpdate = 2,
}

impl Op {
    pub(crate) fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            0 => Some(Self::Check),
            1 => Some(Self::Update),
            2 => Some(Self::CheckUpdate),
            _ => None,
        }
    }

    pub(crate) fn updates(self) -> bool {
        self != Self::Check
    }

    pub(crate) fn checks(self) -> bool {
        self != Self::Update
    }
}

impl<V> Request<V> {
    pub(crate) fn op(&self) -> Op {
        match self {
            Self::Check => Op::Check,
            Self::Update(_) => Op::Update,
            Self::CheckUpdate(_) => Op::CheckUpdate,
        }
    }

    pub(crate) fn value(&self) -> Option<&V> {
        match self {
            Self::Check => None,
            Self::Update(value) | Self::CheckUpdate(value) => Some(value),
        }
    }
}
