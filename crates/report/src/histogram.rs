use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Values by powers of two: how many are 0, 1, 2 to 3, 4 to 7, and so on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    bins: [u64; 65],
    count: u64,
    sum: u128,
    least: u64,
    most: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self { bins: [0; 65], count: 0, sum: 0, least: u64::MAX, most: 0 }
    }
}

/// Values from `from` to `to`, both included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
pub struct Bin {
    /// The least that falls into it …
    pub from: u64,
    /// … and the most.
    pub to: u64,
    /// How many values did.
    pub count: u64,
}

impl Histogram {
    /// Counts a value.
    pub(crate) fn add(&mut self, value: u64) {
        self.bins[(u64::BITS - value.leading_zeros()) as usize] += 1;
        self.count += 1;
        self.sum += u128::from(value);
        self.least = self.least.min(value);
        self.most = self.most.max(value);
    }

    /// How many values there were.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The least of them; 0 if there are none.
    pub fn least(&self) -> u64 {
        if self.count == 0 { 0 } else { self.least }
    }

    /// The largest of them.
    pub fn most(&self) -> u64 {
        self.most
    }

    /// Their mean, rounded down.
    pub fn mean(&self) -> u64 {
        (self.sum / u128::from(self.count.max(1))) as u64
    }

    /// No more than this share of the values, from 0 to 1, is above the answer: the upper end of a bin, so up to twice too much.
    pub fn quantile(&self, share: f64) -> u64 {
        let wanted = (share * self.count as f64).ceil() as u64;
        let mut seen = 0;
        for bin in self.bins() {
            seen += bin.count;
            if seen >= wanted {
                return bin.to.min(self.most);
            }
        }
        self.most
    }

    /// From the first bin that has a value to the last.
    pub fn bins(&self) -> Vec<Bin> {
        let first = self.bins.iter().position(|&count| count > 0).unwrap_or(0);
        let last = self.bins.iter().rposition(|&count| count > 0).map_or(0, |last| last + 1);
        (first..last.max(first)).map(|at| self.bin(at)).collect()
    }

    fn bin(&self, at: usize) -> Bin {
        let from = if at == 0 { 0 } else { 1 << (at - 1) };
        let to = if at == 0 { 0 } else { u64::MAX >> (u64::BITS as usize - at) };
        Bin { from, to, count: self.bins[at] }
    }
}

impl Serialize for Histogram {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Histogram", 7)?;
        fields.serialize_field("count", &self.count)?;
        fields.serialize_field("least", &self.least())?;
        fields.serialize_field("mean", &self.mean())?;
        fields.serialize_field("p50", &self.quantile(0.5))?;
        fields.serialize_field("p99", &self.quantile(0.99))?;
        fields.serialize_field("most", &self.most)?;
        fields.serialize_field("bins", &self.bins())?;
        fields.end()
    }
}
