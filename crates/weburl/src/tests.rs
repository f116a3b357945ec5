mod key;
mod plain;
mod psl;
mod scope;
mod surt;
mod url;
