//! WARC 1.1 records: write, read, index, check. Pure over bytes.
