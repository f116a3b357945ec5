use super::{Gate, Socket, SocketPath};
use crate::directory::SOCKET;
use std::fs;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixListener;
use tempfile::{TempDir, tempdir};
use ui::Entrance;

fn crawl() -> TempDir {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join("state")).unwrap();
    dir
}

#[test]
fn the_socket_is_its_owners_alone_and_goes_with_the_crawl() {
    let dir = crawl();
    let (socket, _entrance) = Socket::open(dir.path()).unwrap();
    let path = dir.path().join(SOCKET);
    assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    drop(socket);
    assert!(!path.exists());
}

#[test]
fn what_a_crash_left_behind_is_made_anew() {
    let dir = crawl();
    drop(UnixListener::bind(dir.path().join(SOCKET)).unwrap());
    assert!(Socket::open(dir.path()).is_ok());
}

/// An address has room for 107 bytes of a path; a directory may lie deeper.
#[test]
fn a_path_may_be_too_long_for_an_address() {
    let place = tempdir().unwrap();
    let deep = place.path().join("deep/".repeat(30));
    assert!(SocketPath::of(&deep).is_err_and(|error| error.kind() == ErrorKind::NotFound));
    fs::create_dir_all(deep.join("state")).unwrap();
    let connect = || SocketPath::of(&deep).unwrap().connect();
    assert!(connect().is_err_and(|error| error.kind() == ErrorKind::NotFound));
    let (socket, _entrance) = Socket::open(&deep).unwrap();
    assert!(connect().is_ok());
    drop(socket);
    assert!(!deep.join(SOCKET).exists());
}

#[test]
fn what_is_no_socket_is_left_alone() {
    let dir = crawl();
    let path = dir.path().join(SOCKET);
    fs::write(&path, "mine").unwrap();
    assert!(Socket::open(dir.path()).is_err());
    assert_eq!(fs::read(&path).unwrap(), b"mine");
}

#[test]
fn other_machines_are_let_in_only_when_that_is_said() {
    assert!(Gate::open("0.0.0.0:0", false).is_err());
    let entrance = |address| Gate::open(address, true).unwrap().entrance().unwrap();
    assert!(matches!(entrance("0.0.0.0:0"), Entrance::Remote { .. }));
    for address in ["127.0.0.1:0", "[::1]:0", ""] {
        assert!(matches!(entrance(address), Entrance::Loopback { .. }), "{address}");
    }
    assert!(Gate::open("localhost", false).is_err());
}
