use super::{Malice, Step, script};
use crate::limits;
use std::io;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Serves until it is dropped.
pub(super) async fn serve(listener: &TcpListener) {
    let slots = Arc::new(Semaphore::new(limits::CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(Duration::from_millis(5)).await;
            continue;
        };
        let Ok(slot) = Arc::clone(&slots).try_acquire_owned() else { continue };
        tokio::spawn(async move {
            // The client is free to go in the middle of it.
            let _ = receive(stream).await;
            drop(slot);
        });
    }
}

async fn receive(mut stream: TcpStream) -> io::Result<()> {
    let local = stream.local_addr()?;
    let IpAddr::V4(address) = local.ip() else { return Ok(()) };
    let Some(malice) = Malice::of_address(address) else { return Ok(()) };
    let target = if malice.speaks_first() { String::new() } else { hear(&mut stream).await? };
    for step in script(malice, &target, local.port()) {
        play(&mut stream, step).await?;
    }
    stream.shutdown().await?;
    linger(&mut stream).await
}

async fn play(stream: &mut TcpStream, step: Step) -> io::Result<()> {
    match step {
        Step::Say(bytes) => stream.write_all(&bytes).await,
        Step::Again { piece, times, pause_ms } => {
            for n in 0..times {
                stream.write_all(&piece(n)).await?;
                if pause_ms > 0 {
                    tokio::time::sleep(Duration::from_millis(pause_ms)).await;
                }
            }
            Ok(())
        }
        Step::Reset => {
            // What was said is to arrive before the reset does.
            tokio::time::sleep(Duration::from_millis(5)).await;
            stream.set_zero_linger()?;
            Err(io::ErrorKind::ConnectionReset.into())
        }
        Step::Hang => linger(stream).await,
    }
}

/// Reads a request's head and gives its target.
async fn hear(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        if head.len() >= limits::HOSTILE_REQUEST_BYTES {
            return Err(io::ErrorKind::InvalidData.into());
        }
        head.push(stream.read_u8().await?);
    }
    let line = String::from_utf8_lossy(&head);
    Ok(line.split(' ').nth(1).unwrap_or("/").to_owned())
}

/// Waits until the client goes.
async fn linger(stream: &mut TcpStream) -> io::Result<()> {
    let mut sink = [0; 1024];
    while stream.read(&mut sink).await? > 0 {}
    Ok(())
}
