use std::io::{self, Read};
use std::net::{Ipv4Addr, Shutdown, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// How many connections the server has accepted and not ended yet; a cheap handle.
#[derive(Clone, Default)]
pub(crate) struct Presence(Arc<Guests>);

#[derive(Default)]
struct Guests {
    count: Mutex<u64>,
    nobody: Condvar,
}

/// One connection; gone when dropped.
pub(crate) struct Guest(Arc<Guests>);

impl Presence {
    pub(crate) fn enter(&self) -> Guest {
        *self.0.count() += 1;
        Guest(Arc::clone(&self.0))
    }

    pub(crate) fn await_nobody(&self) {
        let waited = self.0.nobody.wait_while(self.0.count(), |count| *count > 0);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }
}

impl Guests {
    fn count(&self) -> MutexGuard<'_, u64> {
        self.count.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Guest {
    fn drop(&mut self) {
        *self.0.count() -= 1;
        self.0.nobody.notify_all();
    }
}

/// Calls at a port and leaves. Connections are accepted in the order in which they came: when the server has noticed that
/// this one is over, all that came before it are counted.
pub(crate) fn call(port: u16) -> io::Result<()> {
    let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
    stream.shutdown(Shutdown::Write)?;
    match stream.read(&mut [0]) {
        Err(error) if error.kind() != io::ErrorKind::ConnectionReset => Err(error),
        _ => Ok(()),
    }
}
