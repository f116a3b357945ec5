//! The loop: crawler, fetch cores, pools, supervision, shutdown.
