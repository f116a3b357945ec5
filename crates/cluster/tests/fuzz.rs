//! Messages of other nodes, on what nobody sent.

use cluster::{Batch, Envelope, Message, NodeId};
use fuzz::Fuzz;
use meter::Meter;

#[global_allocator]
static METER: Meter = Meter::new();

fn seeds() -> Vec<Vec<u8>> {
    let batch = Batch { number: 3, shard: 7, body: b"discoveries".to_vec() };
    let messages = [
        Message::Batch(batch),
        Message::Acknowledged(vec![0, 1, 300]),
        Message::Errand(b"http://a.test".to_vec()),
        Message::Census { round: 9 },
        Message::Farewell,
    ];
    let envelope = |message| Envelope { from: NodeId(1), run: 2, to: NodeId(3), message };
    messages.into_iter().map(|message| envelope(message).encode()).collect()
}

#[test]
fn messages() {
    Fuzz::new("messages").seeds(seeds()).run(|input| {
        let peak = METER.peak_while(|| {
            if let Ok(envelope) = Envelope::decode(input) {
                assert_eq!(Envelope::decode(&envelope.encode()).as_ref(), Ok(&envelope));
            }
        });
        assert!(peak <= 64 * input.len() + (2 << 20), "{peak} bytes for {}", input.len());
    });
}
