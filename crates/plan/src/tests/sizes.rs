use super::check_printed;
use crate::irlbot::BUDGETS;
use crate::{bloom, budget};

#[test]
fn section_vii_b() {
    for (pages, mb_per_s) in [(100e6, "3.8"), (8e9, "83"), (80e9, "826")] {
        check_printed("λ of the naive queue", budget::naive_disk_rate(&BUDGETS, pages) / 1e6, mb_per_s);
    }
    check_printed("λ of BEAST", budget::beast_disk_rate_most(&BUDGETS) / 1e6, "8.2");
    assert_eq!(budget::beast_queues(&BUDGETS, 8e9), 16);
    assert_eq!(budget::beast_queues(&BUDGETS, 80e9), 128);
    assert_eq!(budget::beast_queues(&BUDGETS, 1e6), 1);
}

#[test]
fn beast_grows_to_its_bound_and_no_further() {
    let rates: Vec<f64> = (0..12).map(|e| budget::beast_disk_rate(&BUDGETS, 10f64.powi(e + 5))).collect();
    assert!(rates.windows(2).all(|pair| pair[0] <= pair[1]), "{rates:?}");
    let bound = budget::beast_disk_rate_most(&BUDGETS);
    assert!(rates[11] < bound && rates[11] > 0.999 * bound, "{rates:?}, bound {bound}");
}

#[test]
fn bloom_filters() {
    check_printed("GB for 10 billion keys at 1 %", bloom::bytes(10e9, 0.01) / 1e9, "12");
    check_printed("bits a key at 1 %", bloom::bits_per_key(0.01), "9.6");
    // "1.14 GB" for a billion is 1,143 MiB; it is 1.20 GB and 1.12 GiB.
    check_printed("thousand MiB for a billion keys", bloom::bytes(1e9, 0.01) / 1024f64.powi(2) / 1e3, "1.14");
}
