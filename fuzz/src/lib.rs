//! libFuzzer behind the targets of `sports-fuzzing`: each program is one of them.

pub use libfuzzer_sys::fuzz_target;
pub use sports_fuzzing::run;

/// The program of one target.
#[macro_export]
macro_rules! target {
    ($name:literal) => {
        $crate::fuzz_target!(init: $crate::let_panics_be_caught(), |bytes: &[u8]| $crate::run($name, bytes));
    };
}

/// libFuzzer ends the program at any panic, even one of the Parquet library's that a reader expects and catches. One that
/// comes through ends it all the same; those of that library are not printed, for there are too many.
pub fn let_panics_be_caught() {
    let _ = std::panic::take_hook();
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let file = panic.location().map_or("", |place| place.file());
        if !["/parquet-", "/arrow-"].iter().any(|library| file.contains(library)) {
            print(panic);
        }
    }));
}
