mod asks;
mod census;
mod exchange;
mod formats;
mod lending;
mod placement;
mod streams;
