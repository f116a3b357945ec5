//! A sitemap as it came, whatever it is packed in.

use crate::Material;
use page::Unpacking;
use robots::{Entry, Extent, SitemapTotals};
use std::cell::Cell;
use std::io::{self, BufRead, Read};

/// Shows what the sitemap lists; at most `cap` bytes of it are unpacked, as a stream.
pub(crate) fn read(
    material: &Material<'_>,
    coding: Option<&str>,
    cap: usize,
    show: impl FnMut(Entry, &SitemapTotals),
) -> io::Result<SitemapTotals> {
    let is_cut = &Cell::new(material.truncated.is_some());
    let body = || material.body.read();
    let received = || {
        let unpacking = page::unpack(&body, coding, cap)?;
        Ok(Box::new(Watched { unpacking, is_cut }) as Box<dyn BufRead>)
    };
    // `sitemap.xml.gz` is a file in its own right, whatever the transfer.
    let is_gzip = received()?.fill_buf()?.starts_with(&[0x1F, 0x8B]);
    let own_coding = is_gzip.then_some("gzip");
    let plain = || Ok(Watched { unpacking: page::unpack(&received, own_coding, cap)?, is_cut });
    robots::read_sitemap(plain, || if is_cut.get() { Extent::Cut } else { Extent::Whole }, show)
}

/// Notes at its end whether that is the end of what was packed.
struct Watched<'a> {
    unpacking: Unpacking<'a>,
    is_cut: &'a Cell<bool>,
}

impl Read for Watched<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let taken = self.fill_buf()?.read(out)?;
        self.consume(taken);
        Ok(taken)
    }
}

impl BufRead for Watched<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.unpacking.fill_buf()?.is_empty() && !self.unpacking.findings().complete {
            self.is_cut.set(true);
        }
        self.unpacking.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.unpacking.consume(amount);
    }
}
