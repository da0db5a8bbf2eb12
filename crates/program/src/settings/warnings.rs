//! Valid settings with which a protection has little effect.

use std::num::{NonZeroU32, NonZeroUsize};

use crate::settings::Settings;

/// The number of workers for each core beyond which they compete for the cores.
const MOST_WORKERS_PER_CORE: usize = 4;

/// The largest limit per second that restricts an address: a core answers a few thousand requests in that time.
const MOST_PER_ADDRESS: u32 = 1000;

/// The seconds of the longest month.
const LONGEST_MONTH: u64 = 31 * 24 * 60 * 60;

/// The least memory in which a season fits, in bytes.
const LEAST_CACHE: u64 = 1 << 20;

impl Settings {
    /// Returns a sentence for each setting with which a protection of a server with this many cores has little effect. No
    /// sentence has a value, since everybody can read the health of a server.
    pub fn warnings(&self, cores: NonZeroUsize) -> Vec<String> {
        let (http, limits) = (&self.http, &self.limits);
        let most_workers = cores.saturating_mul(NonZeroUsize::MIN.saturating_add(MOST_WORKERS_PER_CORE - 1));
        let busiest_month = u64::from(limits.per_second.get()) * LONGEST_MONTH;
        let hardly_limits = |limit: NonZeroU32| limit.get() > MOST_PER_ADDRESS;
        let found = [
            (
                http.workers.is_some_and(|workers| workers > most_workers),
                "`http.workers` is above four per core, so that workers compete; leave it out for one per core",
            ),
            (
                http.max_connections_per_address >= http.max_connections,
                "`http.max_connections_per_address` is not below `http.max_connections`, so that one address can take all \
                 connections",
            ),
            (
                limits.monthly.get() >= busiest_month,
                "`limits.monthly` is more than `limits.per_second` admits in a month, so that no month has a limit",
            ),
            (
                hardly_limits(limits.public_per_second),
                "`limits.public_per_second` is above 1000, so that one address without a key can take a core",
            ),
            (
                hardly_limits(limits.failed_keys_per_second),
                "`limits.failed_keys_per_second` is above 1000, so that guessing keys is hardly limited",
            ),
            (
                self.memory.archives.bytes() < LEAST_CACHE,
                "`memory.archives` is below 1MiB, so that requests for all but the current seasons read them from the store",
            ),
        ];
        found.into_iter().filter(|(applies, _)| *applies).map(|(_, sentence)| sentence.to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Sources;

    fn warnings(settings: &[(&str, &str)]) -> Vec<String> {
        let variable = |(key, value): &(&str, &str)| {
            let name = format!("SPORTS_{}", key.to_uppercase().replace('.', "__"));
            (name.into(), (*value).into())
        };
        let environment = settings.iter().map(variable).collect();
        let settings = Settings::load(&Sources { environment, ..Sources::default() }).expect("settings");
        settings.warnings(NonZeroUsize::MIN.saturating_add(1))
    }

    #[test]
    fn the_defaults_and_the_largest_useful_values_have_no_warning() {
        assert_eq!(warnings(&[]), [""; 0]);
        let largest = [
            ("http.workers", "8"),
            ("http.max_connections_per_address", "4095"),
            ("limits.monthly", "133919999"),
            ("limits.public_per_second", "1000"),
            ("limits.failed_keys_per_second", "1000"),
            ("memory.archives", "1MiB"),
        ];
        assert_eq!(warnings(&largest), [""; 0]);
    }

    #[test]
    fn each_setting_that_switches_a_protection_off_has_a_warning() {
        for (setting, value) in [
            ("http.workers", "9"),
            ("http.max_connections_per_address", "4096"),
            // 50 a second for 31 days.
            ("limits.monthly", "133920000"),
            ("limits.public_per_second", "1001"),
            ("limits.failed_keys_per_second", "1001"),
            ("memory.archives", "1048575"),
        ] {
            let [warning] = warnings(&[(setting, value)]).try_into().expect("one warning");
            assert!(warning.starts_with(&format!("`{setting}` ")), "{warning}");
        }
    }
}
