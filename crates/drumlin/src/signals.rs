//! Ctrl-C and SIGTERM: once drains, twice stops.

use crate::exit::Exit;
use crate::terminal;
use anyhow::Context;
use crossbeam_channel::Sender;
use node::Control;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens from now on; the first signal becomes a [`Control::Drain`].
pub(crate) fn listen(sender: Sender<Control>) -> anyhow::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_io().build().context("listening to signals")?;
    let serve = move || runtime.block_on(serve(&sender));
    std::thread::Builder::new().name("signals".to_owned()).spawn(serve).context("listening to signals")?;
    Ok(())
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
    // Beside this thread, which must hear the second signal even if the loop hears nothing any more.
    let sender = control.clone();
    std::thread::spawn(move || drop(sender.send(Control::Drain)));
    either(&mut interrupt, &mut terminate).await;
    std::process::exit(Exit::Interrupted as i32);
}

async fn either(interrupt: &mut Signal, terminate: &mut Signal) {
    tokio::select! {
        _ = interrupt.recv() => {}
        _ = terminate.recv() => {}
    }
}
