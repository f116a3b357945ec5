use crate::address::{is_global, is_wholly_private};
use crawler::{Address, Reach};
use ipnet::IpNet;
use std::net::IpAddr;
use thiserror::Error;

#[cfg(test)]
mod tests;

/// Which addresses may be contacted: every global one, and of the others those in named ranges.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    allow: Vec<IpNet>,
}

/// Why a range cannot be allowed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum PolicyError {
    /// Public addresses are always allowed, and always contacted at public politeness.
    #[error("{range} contains globally routable addresses; only private ranges can be allowed by name")]
    Global {
        /// The range.
        range: IpNet,
    },
}

impl AddressPolicy {
    /// Global addresses only.
    pub fn public() -> Self {
        Self::default()
    }

    /// Global addresses, and those in `ranges`, none of which may contain a global one.
    pub fn new(ranges: Vec<IpNet>) -> Result<Self, PolicyError> {
        match ranges.iter().find(|range| !is_wholly_private(**range)) {
            Some(range) => Err(PolicyError::Global { range: *range }),
            None => Ok(Self { allow: ranges }),
        }
    }

    /// `address` with how it may be reached; `None` if it may not be contacted.
    pub fn check(&self, address: IpAddr) -> Option<Address> {
        let reach = match address {
            _ if is_global(address) => Reach::Public,
            _ if self.is_named(address) => Reach::Allowed,
            _ => return None,
        };
        Some(Address { ip: address, reach })
    }

    fn is_named(&self, address: IpAddr) -> bool {
        let canonical = address.to_canonical();
        self.allow.iter().any(|range| range.contains(&address) || range.contains(&canonical))
    }
}
