use super::{CONFIG, Directory, EXCLUDED_HOSTS, GIVEN_HOSTS, SEEDS, STATE, open_to_read, read_configuration};
use crate::exit::{Exit, exit_of, whole};
use crate::settings::Settings;
use archive::{Archive, ArchiveConfig, Entry, Standing};
use disk::{OsDisk, SharedDisk};
use std::fs;
use std::io::{Write, pipe};
use std::os::fd::AsRawFd;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::sync::Arc;
use stdx::WallTime;
use tempfile::tempdir;

/// Asserts that the directory is the user's to put right, and told so.
fn check(told: &anyhow::Error, part: &str) {
    assert!(told.to_string().contains(part), "{told}");
    assert_eq!(exit_of(told), Exit::Usage, "{told}");
}

fn claimed(dir: &Path) -> anyhow::Error {
    Directory::claim(dir, |disk| disk).unwrap_err()
}

#[test]
fn a_configuration_that_cannot_be_looked_at_is_not_absent() {
    let dir = tempdir().unwrap();
    symlink(CONFIG, dir.path().join(CONFIG)).unwrap();
    let part = format!("cannot look at {}: ", dir.path().join(CONFIG).display());
    check(&open_to_read(dir.path()).err().unwrap(), &part);
    check(&Directory::look_into(dir.path()).unwrap_err(), &part);
    check(&claimed(dir.path()), &part);
}

#[test]
fn a_directory_that_cannot_be_looked_into_is_the_users_affair() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(STATE), "").unwrap();
    check(&claimed(dir.path()), &format!("cannot look into {}: ", dir.path().join(STATE).display()));
}

#[test]
fn what_is_no_directory_holds_no_crawl() {
    let dir = tempdir().unwrap();
    let file = dir.path().join("file");
    fs::write(&file, "").unwrap();
    check(&open_to_read(&file).err().unwrap(), "is not a crawl");
    check(&open_to_read(&dir.path().join("absent")).err().unwrap(), "there is no directory");
}

/// Seeds are written before there is a configuration: who is refused then, or killed, has asked for nothing.
#[test]
fn seeds_of_an_attempt_that_came_to_nothing_are_no_seeds_of_the_next() {
    let dir = tempdir().unwrap();
    fs::create_dir(dir.path().join(STATE)).unwrap();
    let seeds = dir.path().join(SEEDS);
    fs::write(&seeds, "https://example.com/\n").unwrap();
    let directory = Directory::claim(dir.path(), |disk| disk).unwrap();
    assert!(!seeds.exists(), "of an attempt before");
    fs::write(&seeds, "https://example.com/\n").unwrap();
    drop(directory);
    assert!(!seeds.exists(), "of this one");
}

#[test]
fn a_configuration_that_somebody_has_laid_there_is_a_crawl_to_begin() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(CONFIG), "depth = 3\n").unwrap();
    drop(Directory::claim(dir.path(), |disk| disk).unwrap());
    assert!(dir.path().join(CONFIG).exists());
    assert!(!dir.path().join(STATE).exists(), "nothing came of it");
}

#[test]
fn an_archive_without_its_state_is_not_begun_anew() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(CONFIG), "depth = 3\nseed = \"1\"\n").unwrap();
    fs::create_dir(dir.path().join("archive")).unwrap();
    check(&claimed(dir.path()), "put state/ back");
}

/// Its journal would be called damaged where it ends before what is covered, and others' takedowns would be gone by.
#[test]
fn another_crawls_checkpoint_is_named_before_anything_is_read_by_it() {
    let dir = tempdir().unwrap();
    fs::write(dir.path().join(CONFIG), "seed = \"2a\"\n").unwrap();
    let disk: SharedDisk = Arc::new(OsDisk::new(dir.path().to_owned()).unwrap());
    let config = ArchiveConfig::new("test", "here", 0, str::to_owned);
    let mut archive = Archive::open(disk, config, WallTime::default()).unwrap().archive;
    archive.commit(WallTime::default(), &[Entry { record: Vec::new(), capture: None }]).unwrap();
    // A version, and the seed.
    archive.checkpoint(1, Standing::Running, &[6, 0x2b, 0, 0, 0]).unwrap();
    let part = format!("the crawl in {}", dir.path().display());
    for told in [
        claimed(dir.path()),
        Directory::look_into(dir.path()).unwrap_err(),
        read_configuration(dir.path()).unwrap_err(),
    ] {
        check(&told, &part);
        assert!(
            whole(&told)
                .ends_with("state/checkpoint belongs to another crawl: it was made under another seed"),
            "{told:#}"
        );
    }
    archive.checkpoint(1, Standing::Running, &[6, 0x2a, 0, 0, 0]).unwrap();
    drop(Directory::claim(dir.path(), |disk| disk).unwrap());
}

/// `--exclude-hosts <(…)`: rules, comparison and copy are all made from what came through it once.
#[test]
fn what_comes_through_a_pipe_is_kept_like_a_file() {
    let dir = tempdir().unwrap();
    let (reader, mut writer) = pipe().unwrap();
    writer.write_all(b"a.example\n").unwrap();
    drop(writer);
    let mut directory = Directory::claim(dir.path(), |disk| disk).unwrap();
    let named = Path::new("/dev/fd").join(reader.as_raw_fd().to_string());
    let asked = Settings { exclude_hosts: Some(named), ..Settings::default() };
    let taken = directory.take_in(asked).unwrap();
    for _ in 0..2 {
        assert_eq!(fs::read(taken.exclude_hosts.as_ref().unwrap()).unwrap(), b"a.example\n");
    }
    let settled = directory.settle(taken).unwrap();
    let copy = dir.path().join(EXCLUDED_HOSTS);
    assert_eq!(settled.exclude_hosts.as_deref(), Some(copy.as_path()));
    assert_eq!(fs::read(copy).unwrap(), b"a.example\n");
    assert!(!dir.path().join(GIVEN_HOSTS).exists());
}

#[test]
fn a_configuration_with_a_password_is_its_owners_alone() {
    let dir = tempdir().unwrap();
    let settle = |settings: &Settings| {
        let mut directory = Directory::claim(dir.path(), |disk| disk).unwrap();
        directory.settle(settings.clone()).unwrap();
        fs::metadata(dir.path().join(CONFIG)).unwrap().permissions().mode() & 0o777
    };
    let secret = Settings {
        seed: Some("2a".to_owned()),
        proxy: Some("http://me:secret@192.0.2.1:80".to_owned()),
        ..Settings::default()
    };
    assert_eq!(settle(&secret), 0o600);
    fs::set_permissions(dir.path().join(CONFIG), fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(settle(&secret), 0o600, "one of an earlier version too");
}
