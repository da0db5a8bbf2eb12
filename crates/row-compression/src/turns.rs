use std::thread;

/// How much text a thread works through before others may have its core: about a millisecond's worth, where the system would
/// have them wait for four.
const LENGTH: usize = 48 * 1024;

/// Long work in turns with other threads, which may be answering requests on the same core.
#[derive(Default)]
pub struct Turns {
    worked: usize,
}

impl Turns {
    /// Says that so many bytes of text are done, and that this is a place to stop at.
    pub fn worked(&mut self, bytes: usize) {
        self.worked += bytes;
        if self.worked >= LENGTH {
            self.worked = 0;
            thread::yield_now();
        }
    }
}
