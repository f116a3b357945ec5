//! Bytes to charset, links, text, language, directives. Pure, infallible.
