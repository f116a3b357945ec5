//! The plain values that people and metrics see.
