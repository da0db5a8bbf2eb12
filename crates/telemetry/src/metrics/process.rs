//! Figures of the process, as the operating system counts them, under the names of Prometheus' client libraries.

use super::exposition::{Exposition, Kind};

/// Writes the figures of this process; nothing on systems other than Linux.
pub fn expose(exposition: &mut Exposition<'_>) {
    let Some(process) = Process::now() else { return };
    let mut number = |name, kind, help, value: Option<f64>| {
        if let Some(value) = value {
            exposition.family(name, kind, help).sample(&[], value);
        }
    };
    let cpu = "User and system CPU time spent, in seconds.";
    number("process_cpu_seconds_total", Kind::Counter, cpu, Some(process.cpu_seconds));
    let resident = "Resident memory size in bytes.";
    number("process_resident_memory_bytes", Kind::Gauge, resident, Some(process.resident_bytes));
    let virtual_memory = "Virtual memory size in bytes.";
    number("process_virtual_memory_bytes", Kind::Gauge, virtual_memory, Some(process.virtual_bytes));
    number("process_open_fds", Kind::Gauge, "Open file descriptors.", process.open_fds);
    number("process_max_fds", Kind::Gauge, "The limit of open file descriptors.", process.max_fds);
    number("process_threads", Kind::Gauge, "Threads of the process.", Some(process.threads));
    let start = "Start of the process, in seconds since 1970.";
    number("process_start_time_seconds", Kind::Gauge, start, process.start_seconds);
}

struct Process {
    cpu_seconds: f64,
    resident_bytes: f64,
    virtual_bytes: f64,
    threads: f64,
    open_fds: Option<f64>,
    max_fds: Option<f64>,
    start_seconds: Option<f64>,
}

#[cfg(target_os = "linux")]
impl Process {
    /// Reads `/proc`.
    fn now() -> Option<Self> {
        use std::fs;

        use rustix::param::{clock_ticks_per_second, page_size};
        use rustix::process::{Resource, getrlimit};

        // Ticks and pages are far below what a float holds exactly.
        let float = |text: &str| text.parse::<f64>().ok();
        let ticks = float(&clock_ticks_per_second().to_string())?;
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The name in parentheses may have spaces and parentheses; the third field follows it.
        let fields: Vec<_> = stat.rsplit_once(')')?.1.split_whitespace().collect();
        let field = |number: usize| fields.get(number - 3).copied().and_then(float);
        let booted = fs::read_to_string("/proc/stat").ok();
        let booted =
            booted.as_deref().and_then(|stat| float(stat.lines().find_map(|line| line.strip_prefix("btime "))?));
        // The count includes the descriptor of the folder that is read here.
        let open = fs::read_dir("/proc/self/fd").ok().map(|open| open.count().saturating_sub(1));
        Some(Self {
            cpu_seconds: (field(14)? + field(15)?) / ticks,
            resident_bytes: field(24)? * float(&page_size().to_string())?,
            virtual_bytes: field(23)?,
            threads: field(20)?,
            open_fds: open.and_then(|open| float(&open.to_string())),
            max_fds: getrlimit(Resource::Nofile).current.and_then(|most| float(&most.to_string())),
            start_seconds: booted.zip(field(22)).map(|(booted, started)| booted + started / ticks),
        })
    }
}

#[cfg(not(target_os = "linux"))]
impl Process {
    const fn now() -> Option<Self> {
        None
    }
}
