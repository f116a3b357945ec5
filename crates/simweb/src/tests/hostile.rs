use crate::hostile::{Malice, Step, script};

#[test]
fn every_malice_has_a_name_and_an_address_of_its_own() {
    assert_eq!(Malice::DripHead.host(), "drip-head.test");
    for malice in Malice::ALL {
        assert_eq!(Malice::of_address(malice.address()), Some(malice));
        assert_eq!(Malice::of_host(&malice.host()), Some(malice));
        assert_eq!(Malice::of_host(&format!("a.b.{}", malice.host())), Some(malice));
        assert_eq!(Malice::of_host(&format!("x{}", malice.host())), None);
    }
}

#[test]
fn only_some_are_hostile_in_their_robots_txt() {
    let is_404 = |malice| match script(malice, "/robots.txt", 80).as_slice() {
        [Step::Say(bytes)] => bytes.starts_with(b"HTTP/1.1 404 "),
        _ => false,
    };
    let odd: Vec<_> = Malice::ALL.into_iter().filter(|malice| !is_404(*malice)).collect();
    assert_eq!(odd, [Malice::RobotsHtml, Malice::RobotsBinary, Malice::RobotsEndless]);
}
