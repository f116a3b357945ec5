//! Manifests, on what nobody wrote.

use drum::Manifest;
use fuzz::Fuzz;
use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

#[test]
fn drum_manifests() {
    let seeds = [
        include_bytes!("golden/v1/manifest").to_vec(),
        include_bytes!("golden/v2/manifest").to_vec(),
        include_bytes!("golden/v3/manifest").to_vec(),
        include_bytes!("golden/v3/manifest-v2").to_vec(),
    ];
    Fuzz::new("drum_manifests").seeds(seeds).run(|input| {
        // With a checksum that fits, or nothing would be read.
        let body = &input[..input.len().saturating_sub(4)];
        let sealed = [body, &crc32fast::hash(body).to_le_bytes()].concat();
        let peak = METER.peak_while(|| {
            assert!(Manifest::from_bytes(input).is_err() || sealed == input);
            if let Ok(manifest) = Manifest::from_bytes(&sealed) {
                assert_eq!(Manifest::from_bytes(&manifest.to_bytes()).expect("what was written"), manifest);
            }
        });
        assert!(peak <= 256 * input.len() + (4 << 20), "{peak} bytes for {}", input.len());
    });
}
