use std::fmt::{self, Write};

use crate::Settings;

impl fmt::Display for Settings {
    /// As the TOML file that sets all of it. Credentials are masked; what is not set is a comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut section = "";
        for (key, value) in self.values() {
            let (table, name) = key.split_once('.').unwrap_or(("", key));
            if table != section {
                let gap = if section.is_empty() { "" } else { "\n" };
                writeln!(f, "{gap}[{table}]")?;
                section = table;
            }
            match value {
                Some(Shown::Number(number)) => writeln!(f, "{name} = {number}")?,
                Some(Shown::Text(text)) => writeln!(f, "{name} = {}", quoted(&text))?,
                Some(Shown::Hidden) => writeln!(f, "# {name} is set")?,
                None => writeln!(f, "# {name} is not set")?,
            }
        }
        Ok(())
    }
}

enum Shown {
    Number(u64),
    Hidden,
    Text(String),
}

impl Settings {
    fn values(&self) -> [(&'static str, Option<Shown>); Self::KEYS.len()] {
        let text = |value: &dyn fmt::Display| Some(Shown::Text(value.to_string()));
        let duration = |value| text(&humantime::format_duration(value));
        let number = |value: usize| Shown::Number(u64::try_from(value).unwrap_or(u64::MAX));
        let values = [
            text(&self.http.bind),
            self.http.public_url.as_ref().and_then(|url| text(url)),
            Some(&self.http.trusted_proxies).filter(|proxies| !proxies.is_empty()).and_then(|proxies| text(proxies)),
            self.http.workers.map(|workers| number(workers.get())),
            Some(Shown::Number(self.http.max_connections.get().into())),
            Some(Shown::Number(self.http.max_connections_per_address.get().into())),
            duration(self.http.patience.head),
            duration(self.http.patience.body),
            duration(self.http.patience.answer),
            duration(self.http.patience.idle),
            text(&self.store.url),
            duration(self.store.poll_interval),
            text(&self.database.url),
            self.prices.kalshi_url.as_ref().and_then(|url| text(url)),
            Some(Shown::Number(self.limits.monthly.get())),
            Some(Shown::Number(self.limits.per_second.get().into())),
            Some(Shown::Number(self.limits.public_per_second.get().into())),
            Some(Shown::Number(self.limits.failed_keys_per_second.get().into())),
            self.downloads.secret.as_ref().map(|_| Shown::Hidden),
            text(&self.memory.archives),
            self.clock.as_of.and_then(|as_of| text(&as_of.to_rfc3339_opts(chrono::SecondsFormat::AutoSi, true))),
        ];
        let mut keys = Self::KEYS.into_iter();
        values.map(|value| (keys.next().unwrap_or_default(), value))
    }
}

/// A TOML basic string.
fn quoted(text: &str) -> String {
    let mut quoted = String::from('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() => write!(quoted, "\\u{:04X}", u32::from(c)).unwrap_or_default(),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Sources;

    #[test]
    fn the_defaults_read_like_a_file() {
        let expected = concat!(
            "[http]\nbind = \"127.0.0.1:8080\"\n# public_url is not set\n# trusted_proxies is not set\n# workers is not set\n",
            "max_connections = 4096\nmax_connections_per_address = 1024\n",
            "head_timeout = \"10s\"\nbody_timeout = \"30s\"\nanswer_timeout = \"30s\"\nidle_timeout = \"1m 15s\"\n",
            "\n[store]\nurl = \"file:./var/store\"\npoll_interval = \"1s\"\n",
            "\n[database]\nurl = \"sqlite:./var/sports.db\"\n",
            "\n[prices]\n# kalshi_url is not set\n",
            "\n[limits]\nmonthly = 200000\nper_second = 50\npublic_per_second = 50\nfailed_keys_per_second = 10\n",
            "\n[downloads]\n# secret is not set\n",
            "\n[memory]\narchives = \"512MiB\"\n",
            "\n[clock]\n# as_of is not set\n",
        );
        assert_eq!(Settings::default().to_string(), expected);
    }

    #[test]
    fn what_is_printed_sets_the_same_again() {
        let mut settings = Settings::default();
        settings.http.workers = std::num::NonZeroUsize::new(3);
        settings.store.poll_interval = std::time::Duration::from_millis(2500);
        settings.http.trusted_proxies = "10.0.0.0/8, ::1".parse().expect("networks");
        settings.limits.monthly = std::num::NonZeroU64::MIN;
        settings.clock.as_of = "2024-11-24T15:00:00.5Z".parse().ok();
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), settings.to_string()).expect("written");
        let again = Settings::load(&Sources { file: Some(file.path().to_owned()), ..Sources::default() });
        assert_eq!(again.expect("read back"), settings);
    }

    #[test]
    fn text_is_quoted_for_toml() {
        assert_eq!(quoted("C:\\a \"b\"\n"), "\"C:\\\\a \\\"b\\\"\\u000A\"");
    }
}
