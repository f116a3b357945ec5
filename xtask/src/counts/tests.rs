use super::{Counts, collected, differences, read, show};

fn counts(pairs: &[(&str, u64)]) -> Counts {
    pairs.iter().map(|(name, count)| ((*name).to_owned(), *count)).collect()
}

#[test]
fn what_is_kept_reads_as_it_was() {
    let some = counts(&[("scan", 1_234_567), ("urls", 890)]);
    assert_eq!(read(&show(&some)).unwrap(), some);
    assert!(read("scan many").is_err());
}

#[test]
fn callgrinds_sum_is_found() {
    let said = "==7== Events    : Ir\n==7== Collected : 12345\n==7==\n";
    assert_eq!(collected(said), Some(12_345));
    assert_eq!(collected("==7== no such thing"), None);
}

#[test]
fn one_in_twenty_is_no_difference() {
    let kept = counts(&[("scan", 1_000), ("urls", 1_000)]);
    assert_eq!(differences(&kept, &counts(&[("scan", 1_049), ("urls", 951)])), Vec::<String>::new());
    assert_eq!(
        differences(&kept, &counts(&[("scan", 1_060), ("urls", 900)])),
        ["scan: 1060 instructions, +6.0 %", "urls: 900 instructions, -10.0 %"]
    );
}

#[test]
fn paths_that_come_and_go_are_told() {
    let told = differences(&counts(&[("scan", 1_000)]), &counts(&[("urls", 7)]));
    assert_eq!(told, ["urls: 7 instructions, which xtask/counts.txt does not have", "scan: gone"]);
}
