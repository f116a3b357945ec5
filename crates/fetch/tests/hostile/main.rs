//! The fetcher and the parser against a server at its worst: every malice of [`simweb::hostile`] costs bounded memory and
//! time and is reported by name, and none of them slows anybody else.

mod alone;
mod company;
mod support;

#[global_allocator]
static METER: meter::Meter = meter::Meter::new();
