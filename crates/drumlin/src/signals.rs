//! Ctrl-C and SIGTERM: once drains, twice stops.

use crate::exit::Exit;
use crate::terminal;
use anyhow::Context;
use crossbeam_channel::{Receiver, Sender, bounded};
use node::Control;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from now on; the receiver gets one [`Control::Drain`] at the first signal.
pub(crate) fn listen() -> anyhow::Result<Receiver<Control>> {
    let (sender, receiver) = bounded(1);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().build().context("listening to signals")?;
    let serve = move || runtime.block_on(serve(&sender));
    std::thread::Builder::new().name("signals".to_owned()).spawn(serve).context("listening to signals")?;
    Ok(receiver)
}

async fn serve(control: &Sender<Control>) {
    let listening = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    let (Ok(mut interrupt), Ok(mut terminate)) = listening else {
        eprintln!("drumlin: signals cannot be listened to: Ctrl-C stops at once (and loses nothing)");
        return;
    };
    either(&mut interrupt, &mut terminate).await;
    let over_the_live_line = if terminal::is_watched() { "\r\x1b[K" } else { "" };
    eprintln!("{over_the_live_line}drumlin: finishing what is under way and saving; once more stops now");
    // A full channel has a drain in it already; a closed one has nobody left to drain.
    let _ = control.try_send(Control::Drain);
    either(&mut interrupt, &mut terminate).await;
    std::process::exit(Exit::Interrupted as i32);
}

async fn either(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
