use crate::contact::Contact;
use crate::limits;
use std::io::Write;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Instant;

/// What a server has seen so far; a cheap handle. Locked because the server's thread writes what others read.
#[derive(Clone)]
pub struct AccessLog {
    began: Instant,
    entries: Arc<Mutex<Entries>>,
}

struct Entries {
    contacts: Vec<Contact>,
    writer: Option<Box<dyn Write + Send>>,
}

impl AccessLog {
    pub(crate) fn new(writer: Option<Box<dyn Write + Send>>) -> Self {
        let entries = Entries { contacts: Vec::new(), writer };
        Self { began: now(), entries: Arc::new(Mutex::new(entries)) }
    }

    /// The finished contacts, in the order they ended.
    pub fn contacts(&self) -> Vec<Contact> {
        self.entries().contacts.clone()
    }

    /// How many contacts have finished and are remembered.
    pub fn len(&self) -> usize {
        self.entries().contacts.len()
    }

    /// Whether nobody has come yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Microseconds since the server began, on the clock of the log and of the web.
    pub fn elapsed_us(&self) -> u64 {
        now().duration_since(self.began).as_micros() as u64
    }

    pub(crate) fn record(&self, contact: Contact) {
        let mut entries = self.entries();
        if let Some(writer) = &mut entries.writer {
            // A log that cannot be written must not stop the web; its reader sees the missing lines.
            let _ = writeln!(writer, "{}", contact.line()).and_then(|()| writer.flush());
        }
        if entries.contacts.len() < limits::LOGGED_CONTACTS {
            entries.contacts.push(contact);
        }
    }

    fn entries(&self) -> MutexGuard<'_, Entries> {
        self.entries.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[expect(clippy::disallowed_methods, reason = "the server is an edge: its log is judged by the real clock")]
fn now() -> Instant {
    Instant::now()
}
