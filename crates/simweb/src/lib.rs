//! A whole web as a pure function of (seed, URL, time), and a thin server beside it.
