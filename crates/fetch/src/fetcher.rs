use crate::authorities::Authorities;
use crate::config::{FetchConfig, FetchError};
use crate::connection::{Connection, given_ms};
use crate::dns::Names;
use crate::exchange::{Ask, Exchanged, Unanswered, exchange};
use crate::failure::failure;
use crate::idle::{IdleConnections, Peer};
use crate::tls::Tls;
use archive::{Capture, Original};
use crawler::{Asks, FailureKind, FetchJob, Fetched, LookUp, Outcome, Resolved, Ticket};
use http::HeaderValue;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::{spawn_blocking, yield_now};
use tokio::time::Instant;

/// Performs the two actions, any number at once, on the tokio runtime it is called from; one per loop.
pub struct Fetcher {
    config: FetchConfig,
    names: Arc<Names>,
    tls: Tls,
    idle: IdleConnections,
    /// Who lets a connection be kept and then drops it at the next request.
    droppers: Authorities,
}

impl Fetcher {
    /// Checks the configuration and sets up DNS and TLS; contacts nobody.
    pub fn new(config: FetchConfig) -> Result<Self, FetchError> {
        let is_sendable = HeaderValue::from_str(&config.user_agent).is_ok() && config.user_agent.is_ascii();
        if !is_sendable || config.user_agent.trim().is_empty() {
            return Err(FetchError::UserAgent { user_agent: config.user_agent });
        }
        let names = Arc::new(Names::new(&config)?);
        let tls = Tls::new(&config)?;
        let idle = IdleConnections::new(config.limits.idle_connections);
        Ok(Self { config, names, tls, idle, droppers: Authorities::default() })
    }

    /// The addresses of `host` (a name or an address literal, as in a URL) that may be contacted.
    pub async fn resolve(&self, ticket: Ticket, host: &str, look_up: LookUp) -> Resolved {
        Resolved { ticket, outcome: self.names.resolve(host, look_up).await }
    }

    /// Asks for the addresses of a name that will be needed, and returns as soon as that is under way: where as many as that
    /// are asked for as may be at once, half of what upstreams take, when one of them is answered.
    pub async fn ask_ahead(&self, host: String) {
        self.names.ask_ahead(host).await;
    }

    /// Makes one request to the job's address, resolving nothing and following nothing. Takes at most
    /// `job.limits.total_ms`, the memory of one connection, and of the intake's credit what it can get; fails where the
    /// disk that takes the rest does. A job that is too late contacts nobody.
    ///
    /// A kept connection that turns out to be closed before anything of the request is sent is replaced, and so is one on which the server
    /// allows no request for a second, or refuses to look at it (HTTP/2). A server that turns it down because it came by HTTP/2 is asked by HTTP/1.1, at once. One
    /// whose HTTP/2 is faulty is a failure, and is asked by HTTP/1.1 from then on. One that closes later,
    /// without an answer, is a failure, though RFC 9112, section 9.3.1, lets us ask again at once: the server may have read
    /// the request, and two in a row are not polite. No connection to it is kept from then on.
    pub async fn fetch(&self, job: FetchJob) -> io::Result<Fetched> {
        let known = self.known(&job).await;
        // The runtime looks at its sockets, so that a kept connection that the server has just closed is known to be.
        yield_now().await;
        // From here to the contact nothing is waited for.
        let started = self.config.clock.now_rounded_up();
        let is_late = started > job.begin_by;
        let outcome = if is_late { Outcome::TooLate } else { self.contact(&job, known.as_ref()).await? };
        let ended = self.config.clock.now_rounded_up();
        Ok(Fetched { ticket: job.ticket, address: job.address.ip(), started, ended, outcome })
    }

    /// How many idle connections are open.
    pub fn idle_connections(&self) -> usize {
        self.idle.len()
    }

    /// Closes all idle connections, as before a pause or the end.
    pub fn close_idle(&self) {
        self.idle.clear();
    }

    async fn contact(&self, job: &FetchJob, known: Option<&Arc<Original>>) -> io::Result<Outcome> {
        let keep_alive = job.keep_alive && !self.droppers.has(job.url.authority());
        match self.attempt(&Ask { job, known, keep_alive }).await {
            Ok(capture) => Ok(Outcome::Captured(Arc::new(capture))),
            Err(Unanswered::Disk(error)) => Err(error),
            Err(
                Unanswered::Failed(failure)
                | Unanswered::Unsent(failure)
                | Unanswered::OneOnly(failure)
                | Unanswered::FaultyTwo(failure),
            ) => Ok(Outcome::Failed(failure)),
        }
    }

    async fn attempt(&self, ask: &Ask<'_>) -> Result<Capture, Unanswered> {
        let job = ask.job;
        if self.config.policy.check(job.address.ip()).is_none() {
            let detail = format!("{} is not on the public internet", job.address.ip());
            return Err(failure(FailureKind::AddressRefused, detail).into());
        }
        let deadline = Instant::now() + Duration::from_millis(job.limits.total_ms);
        let peer = Peer::of(job);
        let exchanged = match self.on_kept(&peer, ask, deadline).await {
            Some(result) => result,
            None => self.on_new(ask, deadline).await,
        };
        let exchanged = match exchanged {
            Err(Unanswered::OneOnly(_)) => {
                self.tls.offer_one_only(&job.url);
                self.on_new(ask, deadline).await?
            }
            Err(Unanswered::FaultyTwo(failure)) => {
                self.tls.offer_one_only(&job.url);
                return Err(failure.into());
            }
            other => other?,
        };
        if exchanged.is_faulty_two {
            self.tls.offer_one_only(&job.url);
        }
        if let Some(reusable) = exchanged.reusable {
            self.idle.put(peer, reusable);
        }
        Ok(exchanged.capture)
    }

    /// What an earlier crawl has of this URL, and can still read.
    async fn known(&self, job: &FetchJob) -> Option<Arc<Original>> {
        let earlier = self.config.earlier.clone().filter(|_| job.asks == Asks::IfModified)?;
        let url = job.url.as_str().to_owned();
        spawn_blocking(move || earlier.find(&url)).await.ok()?
    }

    /// On a kept connection, if there is one and it turns out to be alive, or there is no time for another.
    async fn on_kept(
        &self,
        peer: &Peer,
        ask: &Ask<'_>,
        deadline: Instant,
    ) -> Option<Result<Exchanged, Unanswered>> {
        let kept = self.idle.take(peer).await?;
        match exchange(kept, ask, &self.config, deadline).await {
            Err(Unanswered::Unsent(_)) if given_ms(self.config.limits.connect_ms, deadline) > 0 => None,
            Err(Unanswered::Failed(failure)) => {
                if matches!(failure.kind, FailureKind::Disconnected | FailureKind::ResponseTimeout) {
                    self.droppers.note(ask.job.url.authority());
                }
                Some(Err(failure.into()))
            }
            result => Some(result),
        }
    }

    async fn on_new(&self, ask: &Ask<'_>, deadline: Instant) -> Result<Exchanged, Unanswered> {
        let FetchConfig { route, limits, .. } = &self.config;
        let connection = Connection::open(ask.job, &self.tls, route, limits, deadline).await?;
        exchange(connection, ask, &self.config, deadline).await
    }
}
