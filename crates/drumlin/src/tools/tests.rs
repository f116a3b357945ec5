use super::printable;

#[test]
fn what_a_server_sent_does_not_steer_the_terminal() {
    let said = "robots.txt\tforbidden by line 2: /\u{1b}]0;mine\u{7}\u{9b}2J\n";
    assert_eq!(printable(said), "robots.txt\tforbidden by line 2: /\u{fffd}]0;mine\u{fffd}\u{fffd}2J\n");
}
