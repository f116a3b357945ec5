use super::who;
use crate::config::Config;
use crate::settings::{Settings, Span};
use report::Who;

fn told(asked: Settings) -> Who {
    let seed = Settings { seed: Some("2a".to_owned()), ..asked };
    who(&Config::new(&Settings::defaults().overlaid(&seed)).unwrap())
}

/// What is promised is what the audit asks for.
#[test]
fn hosts_of_ones_own_are_promised_what_is_kept() {
    let quick = Settings { delay: Some(Span(100)), ip_delay: Some(Span(20)), ..Settings::default() };
    let Who { host_ms, server_ms, domain_ms, .. } = told(quick.clone());
    assert_eq!((host_ms, server_ms, domain_ms), (500, 100, 250), "the floors of public hosts");
    let allowed = Some(vec!["127.0.0.0/8".parse().unwrap()]);
    let Who { host_ms, server_ms, domain_ms, .. } = told(Settings { allow_ip: allowed, ..quick });
    assert_eq!((host_ms, server_ms, domain_ms), (100, 20, 100));
}
