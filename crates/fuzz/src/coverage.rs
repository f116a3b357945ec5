//! What an execution reached: the counters that `-C instrument-coverage` puts into the program, one 64-bit number a region, in a
//! section of their own. Without them (an ordinary build) nothing is ever new.

/// What has been reached so far: of each counter the magnitudes it has had, a bit each.
#[derive(Default)]
pub(crate) struct Coverage {
    reached: Vec<u8>,
}

impl Coverage {
    /// Whether the execution since [`Self::begin`] reached what none before it did.
    pub(crate) fn is_new(&mut self) -> bool {
        let counters = counters();
        self.reached.resize(counters.len(), 0);
        let mut is_new = false;
        for (counter, reached) in counters.iter().zip(&mut self.reached) {
            if *counter > 0 {
                let bit = 1 << magnitude(*counter);
                is_new |= *reached & bit == 0;
                *reached |= bit;
            }
        }
        is_new
    }

    /// Counts from zero.
    pub(crate) fn begin() {
        counters().fill(0);
    }

    /// How many counters have ever counted.
    pub(crate) fn regions(&self) -> usize {
        self.reached.iter().filter(|reached| **reached > 0).count()
    }
}

/// 1, 2, 3, 4 to 7, to 15, to 31, to 127, more.
fn magnitude(count: u64) -> u32 {
    match count {
        0..=3 => u32::try_from(count.saturating_sub(1)).unwrap_or(0),
        4..=7 => 3,
        8..=15 => 4,
        16..=31 => 5,
        32..=127 => 6,
        _ => 7,
    }
}

#[cfg(not(drumlin_coverage))]
fn counters() -> &'static mut [u64] {
    &mut []
}

#[cfg(drumlin_coverage)]
#[expect(
    unsafe_code,
    reason = "the counters are a section of the program, between two symbols of the linker's"
)]
fn counters() -> &'static mut [u64] {
    unsafe extern "C" {
        #[link_name = "__start___llvm_prf_cnts"]
        static mut START: u64;
        #[link_name = "__stop___llvm_prf_cnts"]
        static mut STOP: u64;
    }
    let (start, stop) = (&raw mut START, &raw mut STOP);
    let len = (stop.addr() - start.addr()) / size_of::<u64>();
    // SAFETY: the linker puts the two around all counters; one thread fuzzes, and reads them while no target runs.
    unsafe { std::slice::from_raw_parts_mut(start, len) }
}
