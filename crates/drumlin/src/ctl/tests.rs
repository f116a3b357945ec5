use super::said::TargetArgs;
use super::{Client, as_object, exit_of_refusal, say, tell};
use crate::directory::{CONFIG, Directory, SOCKET};
use crate::exit::{Exit, exit_of};
use crate::look;
use control::{Command, Refusal};
use std::fs;
use std::io::{Read, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::thread::JoinHandle;
use std::time::Duration;

/// A crawl in `dir` that answers one question so.
fn answering(dir: &Path, answer: String) -> JoinHandle<()> {
    let socket = dir.join(SOCKET);
    fs::create_dir_all(socket.parent().expect("it lies in a directory")).expect("a directory");
    let listener = UnixListener::bind(&socket).expect("a socket");
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("somebody asks");
        let (mut asked, mut some) = (Vec::new(), [0; 512]);
        while ![&b"\"pause\""[..], b"\"stop\""].iter().any(|word| asked.ends_with(word)) {
            let read = stream.read(&mut some).expect("a question");
            asked.extend_from_slice(&some[..read]);
        }
        stream.write_all(answer.as_bytes()).expect("an answer");
    })
}

#[test]
fn a_crawl_that_has_not_come_to_a_command_has_not_refused_it() {
    for body in ["\"busy\"", r#"{"error":"the crawl did not answer in time"}"#] {
        let dir = tempfile::tempdir().expect("a directory");
        let crawl = answering(dir.path(), format!("HTTP/1.1 504 Gateway Timeout\r\n\r\n{body}"));
        let client = Client::connect(dir.path()).expect("a socket").expect("somebody there");
        assert_eq!(client.command(&Command::Pause).expect("an answer"), Err(Refusal::Busy), "{body}");
        crawl.join().expect("it has answered");
    }
}

#[test]
fn a_crawl_that_does_not_answer_may_still_do_it() {
    let dir = tempfile::tempdir().expect("a directory");
    let socket = dir.path().join(SOCKET);
    fs::create_dir_all(socket.parent().expect("it lies in a directory")).expect("a directory");
    let _stopped = UnixListener::bind(&socket).expect("a socket");
    let patience = Duration::from_secs(1);
    let client = Client::connect_for(dir.path(), patience).expect("a socket").expect("somebody there");
    let error = client.command(&Command::Pause).expect_err("no answer");
    assert_eq!(exit_of(&error), Exit::Internal);
    let said = format!("{error:#}");
    assert!(
        said.ends_with("the crawl has not answered within 1 s, and may still do what it was asked to"),
        "{said}"
    );
}

#[test]
fn a_crawl_that_is_just_beginning_is_stopped_once_it_listens() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join(CONFIG), "format = 1\nseed = \"2a\"\n").expect("a file");
    let directory = Directory::claim(dir.path(), |disk| disk).expect("nobody else");
    let told = std::thread::scope(|threads| {
        let told = threads.spawn(|| tell(dir.path(), &Command::Stop));
        look::wait();
        let crawl = answering(dir.path(), "HTTP/1.1 409 Conflict\r\n\r\n\"ending\"".to_owned());
        let told = told.join().expect("an answer");
        crawl.join().expect("it was asked");
        told
    });
    drop(directory);
    assert_eq!(told.expect("somebody there"), Err(Refusal::Ending));
}

#[test]
fn bad_usage_is_only_what_has_changed_nothing() {
    for (word, exit) in [("busy", Exit::Internal), ("unanswered", Exit::Internal), ("ending", Exit::Usage)] {
        let refusal: Refusal = serde_json::from_value(word.into()).expect("a refusal");
        assert_eq!(exit_of_refusal(&refusal), exit, "{word}");
        let dir = tempfile::tempdir().expect("a directory");
        let crawl = answering(dir.path(), format!("HTTP/1.1 409 Conflict\r\n\r\n\"{word}\""));
        let error = say(dir.path(), Ok(Command::Pause), false).expect_err("no receipt");
        assert_eq!(exit_of(&error), exit, "{error:#}");
        assert_eq!(error.to_string().contains("refused"), exit == Exit::Usage, "{error:#}");
        crawl.join().expect("it has answered");
    }
}

#[test]
fn whoever_asks_for_json_gets_an_object_whatever_is_wrong() {
    let dir = tempfile::tempdir().expect("a directory");
    let absent = as_object(tell(dir.path(), &Command::Stop));
    fs::write(dir.path().join(CONFIG), "format = 1\nseed = \"2a\"\n").expect("a file");
    let at_rest = as_object(tell(dir.path(), &Command::Stop));
    let open = TargetArgs { host: None, domain: None, pattern: Some("(".to_owned()) };
    let pattern = as_object(open.target().map(|_| unreachable!("that is no expression")));
    assert_eq!((&at_rest.0["refusal"], at_rest.1), (&"not_running".into(), Exit::Usage));
    for (answer, exit) in [absent, pattern] {
        assert_eq!(exit, Exit::Usage, "{answer}");
        assert_eq!(answer["refusal"]["malformed"]["reason"], answer["because"], "{answer}");
    }
    let (answer, exit) = as_object(Err(anyhow::anyhow!("a disk that fails")));
    assert_eq!((&answer["error"], exit), (&"a disk that fails".into(), Exit::Internal));
}
