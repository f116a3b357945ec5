use crate::answers::{Answers, Packed};
use crawler::RobotsAnswer;
use robots::Robots;

fn rules(number: usize) -> RobotsAnswer {
    let text = format!("User-agent: *\nDisallow: /{number}/");
    RobotsAnswer::Rules(Box::new(Robots::parse(text.as_bytes(), "drumlin")))
}

fn forbids(answer: &RobotsAnswer, number: usize) -> bool {
    !answer.rules().expect("rules").verdict(&format!("/{number}/")).allowed
}

/// Whether there is room for none, for a few or for all that are asked for.
#[test]
fn what_is_compiled_is_what_was_packed() {
    for room in [0, 3_000, 1 << 20] {
        let mut answers = Answers::new(room);
        let packed: Vec<Packed> = (0..50).map(|number| answers.pack(&rules(number))).collect();
        for turn in 0..3 {
            for (number, packed) in packed.iter().enumerate() {
                let answer = answers.compiled(packed);
                assert!(forbids(answer, number) && !forbids(answer, number + 1), "room {room}, turn {turn}");
            }
        }
    }
}

#[test]
fn what_nobody_holds_is_let_go() {
    let mut answers = Answers::new(1 << 20);
    let mut held: Vec<Packed> = (0..50).map(|number| answers.pack(&rules(number))).collect();
    let all = answers.bytes();
    answers.compiled(&held[40]);
    held.truncate(10);
    answers.sweep();
    assert!(answers.bytes() < all / 4, "{} of {all}", answers.bytes());
    assert!(forbids(answers.compiled(&held[7]), 7));
    drop(held);
    answers.sweep();
    assert_eq!(answers.bytes(), 0);
}
