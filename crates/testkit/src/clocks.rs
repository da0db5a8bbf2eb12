//! The system clocks of a running program, controlled by a test.

use std::fs::{self, OpenOptions};
use std::os::unix::fs::FileExt;
use std::path::PathBuf;
use std::process::Command;

/// The source of the library preloaded into a program. It reads both offsets, in seconds, from a memory-mapped file.
const LIBRARY: &str = r#"
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
static volatile long long *offsets;
__attribute__((constructor)) static void begin(void) {
  int file = open(getenv("MOVED_CLOCKS"), O_RDONLY);
  void *mapped = mmap(0, 16, PROT_READ, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED) abort();
  offsets = mapped;
  close(file);
}
int clock_gettime(clockid_t id, struct timespec *at) {
  int failed = syscall(SYS_clock_gettime, id, at);
  if (!failed && offsets && id == CLOCK_REALTIME) at->tv_sec += offsets[0];
  if (!failed && offsets && id == CLOCK_MONOTONIC) at->tv_sec += offsets[1];
  return failed;
}
"#;

/// The date and the uptime of the programs started with its variables, each at an offset from the machine's.
pub struct MovedClocks {
    folder: tempfile::TempDir,
}

impl MovedClocks {
    /// Creates clocks equal to the machine's. Returns `None` if the machine has no C compiler to build the library,
    /// unless `REQUIRE_SERVICES` is 1.
    ///
    /// # Panics
    ///
    /// Panics if the library cannot be built although it is required.
    pub fn of_the_machine() -> Option<Self> {
        let clocks = Self { folder: tempfile::tempdir().expect("a folder") };
        let source = clocks.folder.path().join("clocks.c");
        fs::write(&source, LIBRARY).expect("written");
        fs::write(clocks.offsets(), [0; 16]).expect("written");
        let mut compiler = Command::new("cc");
        compiler.args(["-shared", "-fPIC", "-O1", "-o"]).arg(clocks.library()).arg(&source);
        if compiler.status().is_ok_and(|compiled| compiled.success()) {
            return Some(clocks);
        }
        assert!(std::env::var_os("REQUIRE_SERVICES").is_none_or(|set| set != "1"), "there is no C compiler");
        eprintln!("skipped: there is no C compiler to make clocks that move");
        None
    }

    /// Returns the environment variables for starting a program.
    ///
    /// # Panics
    ///
    /// Panics if the temporary folder has no Unicode name.
    pub fn variables(&self) -> [(&'static str, String); 2] {
        let text = |path: PathBuf| path.to_str().expect("text").to_owned();
        [("LD_PRELOAD", text(self.library())), ("MOVED_CLOCKS", text(self.offsets()))]
    }

    /// Sets the offset of the date from the machine's, in seconds.
    ///
    /// # Panics
    ///
    /// Panics if the file of the offsets cannot be written.
    pub fn set_date(&self, seconds: i64) {
        self.set(0, seconds);
    }

    /// Sets the offset of the uptime from the machine's, in seconds.
    ///
    /// # Panics
    ///
    /// Panics if the file of the offsets cannot be written.
    pub fn pass(&self, seconds: i64) {
        self.set(8, seconds);
    }

    fn set(&self, at: u64, seconds: i64) {
        let file = OpenOptions::new().write(true).open(self.offsets()).expect("opened");
        file.write_all_at(&seconds.to_ne_bytes(), at).expect("written");
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("clocks.so")
    }

    fn offsets(&self) -> PathBuf {
        self.folder.path().join("offsets")
    }
}
