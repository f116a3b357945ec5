use crate::reply::{self, Reply};
use http::StatusCode;

struct Asset {
    path: &'static str,
    media_type: &'static str,
    body: &'static str,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

const ASSETS: [Asset; 10] = [
    Asset { path: "/", media_type: HTML, body: include_str!("../assets/index.html") },
    Asset { path: "/style.css", media_type: CSS, body: include_str!("../assets/style.css") },
    Asset { path: "/app.js", media_type: SCRIPT, body: include_str!("../assets/app.js") },
    Asset { path: "/api.js", media_type: SCRIPT, body: include_str!("../assets/api.js") },
    Asset { path: "/dom.js", media_type: SCRIPT, body: include_str!("../assets/dom.js") },
    Asset { path: "/format.js", media_type: SCRIPT, body: include_str!("../assets/format.js") },
    Asset { path: "/chart.js", media_type: SCRIPT, body: include_str!("../assets/chart.js") },
    Asset { path: "/charts.js", media_type: SCRIPT, body: include_str!("../assets/charts.js") },
    Asset { path: "/views.js", media_type: SCRIPT, body: include_str!("../assets/views.js") },
    Asset { path: "/controls.js", media_type: SCRIPT, body: include_str!("../assets/controls.js") },
];

/// A part of the page, if it has one of this name.
pub(crate) fn find(path: &str) -> Option<Reply> {
    let asset = ASSETS.iter().find(|asset| asset.path == path)?;
    Some(reply::with(StatusCode::OK, asset.media_type, asset.body))
}
