//! How connections leave: `bind` and `proxy`.

use crate::exit::BadUsage;
use crate::settings::Settings;
use fetch::{Families, ProxyError, Route, Sources};
use std::net::IpAddr;

/// From where, and through whom.
pub(super) fn route(settings: &Settings) -> Result<Route, BadUsage> {
    let proxy = settings.proxy.as_deref().map(str::parse).transpose();
    let proxy = proxy.map_err(|error: ProxyError| BadUsage(format!("--proxy: {error}")))?;
    Ok(Route { sources: sources(settings.bind.as_deref().unwrap_or_default())?, proxy })
}

fn sources(bind: &[IpAddr]) -> Result<Sources, BadUsage> {
    let (mut v4, mut v6) = (None, None);
    for address in bind {
        let before = match *address {
            IpAddr::V4(ip) => v4.replace(ip).map(IpAddr::V4),
            IpAddr::V6(ip) => v6.replace(ip).map(IpAddr::V6),
        };
        if let Some(before) = before {
            return Err(BadUsage(format!(
                "--bind: {before} and {address} are of one kind, and one of each is used"
            )));
        }
    }
    Ok(if bind.is_empty() { Sources::System } else { Sources::Only { v4, v6 } })
}

/// Only names with addresses that can be reached are worth asking for.
pub(super) fn families(bind: Option<&[IpAddr]>) -> Families {
    match bind {
        Some([IpAddr::V4(_)]) => Families::V4Only,
        Some([IpAddr::V6(_)]) => Families::V6Only,
        _ => Families::V4First,
    }
}
