use std::fmt;

use crate::settings::entry::Shown;
use crate::settings::list::Settings;

impl fmt::Display for Settings {
    /// Formats the settings as a TOML file that sets all of them. Credentials are masked; a setting that is unset or
    /// secret is a comment.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (section, values)) in self.sections().into_iter().enumerate() {
            let gap = if place == 0 { "" } else { "\n" };
            writeln!(f, "{gap}[{section}]")?;
            for (name, shown) in values {
                match shown {
                    Shown::Value(value) => writeln!(f, "{name} = {value}")?,
                    Shown::Hidden => writeln!(f, "# {name} is set")?,
                    Shown::NotSet => writeln!(f, "# {name} is not set")?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::Sources;

    #[test]
    fn the_defaults_are_printed_as_a_file() {
        let expected = concat!(
            "[http]\nbind = \"127.0.0.1:8080\"\n# public_url is not set\n# trusted_proxies is not set\n# workers is not set\n",
            "max_connections = 4096\nmax_connections_per_address = 1024\n",
            "head_timeout = \"10s\"\nbody_timeout = \"30s\"\nanswer_timeout = \"30s\"\nidle_timeout = \"1m 15s\"\ndrain = \"0s\"\n# contact is not set\n# security_contact is not set\n# frame_ancestors is not set\n",
            "\n[http.tls]\n# certificate is not set\n# key is not set\n",
            "\n[http.tls.acme]\n# domains is not set\n# contact is not set\nfolder = \"./var/acme\"\n# directory is not set\n",
            "\n[store]\nurl = \"file:./var/store\"\npoll_interval = \"1s\"\n",
            "\n[database]\nurl = \"sqlite:./var/sports.db\"\n",
            "\n[prices]\n# kalshi_url is not set\n",
            "\n[watch]\nsettle = \"3s\"\n",
            "\n[receive]\n# folder is not set\n",
            "\n[record]\n# origin is not set\n# key_file is not set\n# witnesses is not set\n# timestamps is not set\ntimeout = \"4s\"\n# public is not set\n",
            "\n[site]\n# name is not set\n# about is not set\n# contact is not set\n# logo is not set\n# accent is not set\n",
            "\n[limits]\n# redis is not set\nmonthly = 200000\nper_second = 50\npublic_per_second = 50\nfailed_keys_per_second = 10\nkey_creations_per_minute = 10\nqueue_timeout = \"5s\"\n",
            "\n[downloads]\n# secret is not set\n",
            "\n[webhooks]\nallow_http = false\n# allow_networks is not set\n",
            "\n[memory]\narchives = \"512MiB\"\n",
            "\n[metrics]\n# bind is not set\n",
            "\n[log]\nclient_network = true\n",
            "\n[clock]\n# as_of is not set\n",
        );
        assert_eq!(Settings::default().to_string(), expected);
    }

    fn printed_and_loaded(settings: &Settings) -> Settings {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), settings.to_string()).expect("written");
        Settings::load(&Sources { file: Some(file.path().to_owned()), ..Sources::default() }).expect("read back")
    }

    #[test]
    fn printed_settings_set_the_same_again() {
        let mut settings = Settings::default();
        settings.http.workers = std::num::NonZeroUsize::new(3);
        settings.store.poll_interval = std::time::Duration::from_millis(2500);
        settings.http.trusted_proxies = "10.0.0.0/8, ::1".parse().expect("networks");
        settings.limits.monthly = std::num::NonZeroU64::MIN;
        settings.clock.as_of = "2024-11-24T15:00:00.5Z".parse().ok();
        assert_eq!(printed_and_loaded(&settings), settings);
    }

    #[test]
    fn awkward_texts_and_numbers_set_the_same_again() {
        let mut settings = Settings::default();
        settings.store.url =
            crate::settings::ConnectionUrl::new("file:C:\\a \"b\" 'c'\n", &["file"]).expect("an address");
        settings.limits.monthly = std::num::NonZeroU64::MAX;
        assert_eq!(printed_and_loaded(&settings), settings);
    }
}
