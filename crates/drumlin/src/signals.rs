//! Ctrl-C and SIGTERM: once drains, twice stops. A terminal that goes away (SIGHUP) drains, too.

use crate::exit::Exit;
use crate::terminal::{self, tell, tell_raw};
use anyhow::Context;
use crossbeam_channel::Sender;
use node::Control;
use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from now on; the first signal becomes a [`Control::Drain`].
pub(crate) fn listen(sender: Sender<Control>) -> anyhow::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().build().context("listening to signals")?;
    let serve = move || runtime.block_on(serve(&sender));
    std::thread::Builder::new().name("signals".to_owned()).spawn(serve).context("listening to signals")?;
    Ok(())
}

/// What ends a crawl.
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// `None` where whoever started the program has it ignored, as `nohup` does.
    hang_up: Option<Signal>,
}

async fn serve(control: &Sender<Control>) {
    let Ok(mut signals) = Signals::listen() else {
        tell("signals cannot be listened to: Ctrl-C stops at once (and loses nothing)");
        return;
    };
    signals.any().await;
    // Beside this thread, which must hear the second signal even if the loop hears nothing any more. First of all: that it
    // is told may fail or last, where nobody reads any more.
    let sender = control.clone();
    std::thread::spawn(move || drop(sender.send(Control::Drain)));
    tell_of_the_first();
    signals.urgent().await;
    std::process::exit(Exit::Interrupted as i32);
}

fn tell_of_the_first() {
    if terminal::is_watched() {
        tell_raw("\r\x1b[K");
    }
    tell("finishing what is under way and saving; once more stops now");
}

impl Signals {
    fn listen() -> io::Result<Self> {
        let hang_up = if is_hang_up_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up,
        })
    }

    async fn any(&mut self) {
        let Self { interrupt, terminate, hang_up } = self;
        let hung_up = async {
            match hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            _ = hung_up => {}
        }
    }

    /// A terminal that goes away says so more than once, the kernel and the shell each: that is no haste.
    async fn urgent(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}

/// Whoever writes a longer file than `ulimit -f` lets it is told so by an error, which says where, and not killed.
#[expect(unsafe_code, reason = "nothing else says what becomes of a signal that nobody listens to")]
pub(crate) fn outlive_long_files() {
    // SAFETY: `SIG_IGN` is no handler that could run.
    unsafe { libc::signal(libc::SIGXFSZ, libc::SIG_IGN) };
}

#[expect(
    unsafe_code,
    reason = "only sigaction tells how a signal is handled, and tokio would overrule it unseen"
)]
fn is_hang_up_ignored() -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, sigaction only writes the present one where the pointer points, and `action` has room
    // for it; all its fields may be zero.
    let handler = unsafe {
        libc::sigaction(libc::SIGHUP, std::ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction
    };
    handler == libc::SIG_IGN
}
