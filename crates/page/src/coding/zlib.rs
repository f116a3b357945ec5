use flate2::{Decompress, FlushDecompress, Status};
use std::io::{self, BufRead, Read};

/// A zlib stream (RFC 1950), undone. What comes out before a fault is given out before it, whatever the fault is: the end of a page is no worse for
/// a checksum behind it that is wrong.
pub(super) struct Zlib<R> {
    input: R,
    state: Decompress,
}

impl<R: BufRead> Zlib<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, state: Decompress::new(true) }
    }

    /// One step: how many bytes came out, and how the stream stands.
    fn step(&mut self, out: &mut [u8]) -> io::Result<(usize, io::Result<Status>)> {
        let input = self.input.fill_buf()?;
        let is_end = input.is_empty();
        let flush = if is_end { FlushDecompress::Finish } else { FlushDecompress::None };
        let (taken, given) = (self.state.total_in(), self.state.total_out());
        let status = match self.state.decompress(input, out, flush) {
            Ok(Status::Ok | Status::BufError) if is_end => Err(io::ErrorKind::UnexpectedEof.into()),
            status => status.map_err(io::Error::from),
        };
        self.input.consume((self.state.total_in() - taken) as usize);
        Ok(((self.state.total_out() - given) as usize, status))
    }
}

impl<R: BufRead> Read for Zlib<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.step(out)? {
                // A fault is met again at the next step.
                (read, _) if read > 0 || out.is_empty() => return Ok(read),
                (_, Ok(Status::StreamEnd)) => return Ok(0),
                (_, Ok(Status::Ok | Status::BufError)) => {}
                (_, Err(fault)) => return Err(fault),
            }
        }
    }
}
