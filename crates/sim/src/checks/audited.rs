use archive::{Error, ReplayEntry};

/// Judges by the crawl's own audit, which knows nothing of the machine and of the servers' log, whether every promise was kept as far as the
/// journal tells. `journal` opens it from its beginning.
pub fn audited<I>(journal: impl Fn() -> Result<I, Error>) -> Vec<String>
where
    I: Iterator<Item = Result<ReplayEntry, Error>>,
{
    match ledger::audit(|_| journal(), None) {
        Ok(audit) => audit.findings.kept.iter().map(|finding| format!("audit: {finding:?}")).collect(),
        Err(error) => vec![format!("audit: {error}")],
    }
}
