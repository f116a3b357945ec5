use super::takes_back;
use std::ffi::OsStr;

#[test]
fn a_terminal_that_can_do_nothing_is_sent_no_codes() {
    let takes_back = |name: &str| takes_back(Some(OsStr::new(name)));
    assert!(takes_back("xterm-256color") && takes_back("") && super::takes_back(None));
    assert!(!takes_back("dumb"));
}
