mod cases;
mod key;
mod psl;
mod scope;
mod surt;
mod url;
