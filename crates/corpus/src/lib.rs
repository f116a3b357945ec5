//! The deliverables built from pages: Parquet text corpus.
