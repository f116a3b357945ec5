//! Tests of the parts; what a scanner sees of whole pages is tested where pages are read.

mod reference;
