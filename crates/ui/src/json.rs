//! Parts of a snapshot, as the API gives them.

use crate::view::Standing;
use crate::{Desk, Unanswered};
use control::Receipt;
use serde_json::{Value, json};
use snapshot::{Bottleneck, Snapshot};

/// `GET /api/v1/snapshot`.
pub(crate) fn snapshot(standing: &Standing) -> Value {
    let bottleneck = Bottleneck::of(&standing.snapshot);
    let because = bottleneck.to_string();
    json!({
        "crawl": standing.crawl,
        "mode": standing.mode,
        "version": env!("CARGO_PKG_VERSION"),
        "bottleneck": bottleneck,
        "because": because,
        "snapshot": *standing.snapshot,
        "fetch_ms": percentiles(&standing.snapshot),
    })
}

/// What came of a command: the receipt, and the words for it.
pub(crate) fn receipt(receipt: &Receipt) -> Value {
    json!({ "entry": receipt.entry, "effect": receipt.effect, "said": receipt.to_string() })
}

fn percentiles(snapshot: &Snapshot) -> Value {
    let fetch = &snapshot.resources.fetch;
    json!({ "p50": fetch.per_mille(500), "p95": fetch.per_mille(950), "p99": fetch.per_mille(990) })
}

/// `GET /api/v1/errors`.
pub(crate) fn errors(desk: &dyn Desk) -> Result<Value, Unanswered> {
    let Standing { snapshot, .. } = desk.standing()?;
    Ok(json!({
        "failed": snapshot.failed(),
        "causes": snapshot.failures,
        "statuses": snapshot.statuses,
        "parked": snapshot.parked,
        "recent": desk.failures(),
    }))
}

/// `GET /api/v1/exclusions`.
pub(crate) fn exclusions(desk: &dyn Desk) -> Result<Value, Unanswered> {
    let Standing { snapshot, .. } = desk.standing()?;
    Ok(json!({ "urls": snapshot.excluded, "links": snapshot.out_of_scope, "parked": snapshot.parked }))
}
