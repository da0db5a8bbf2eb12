//! Arguments of `init`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use sports_domain::{FormError, Sport, trim_blanks};
use sports_program::settings::{PublicRecord, ServiceUrl, SiteName};

use super::publishing::ModelOfTable;

/// What a publisher's folder is made of. What is absent is asked for.
#[derive(Debug, Args)]
pub struct Init {
    /// The folder; it is made if it is missing
    #[arg(default_value = ".")]
    pub folder: PathBuf,
    /// The league
    #[arg(long)]
    pub sport: Option<Sport>,
    /// A model of your own: its market, and the column of your table that has its probabilities; repeat it for more
    #[arg(long, value_name = "NAME:MARKET[=COLUMN]")]
    pub model: Vec<ModelOfTable>,
    /// The map that ships with the program for your table, if one does; `sportsctl convert csv --preset list` prints them
    #[arg(long, value_name = "NAME")]
    pub preset: Option<String>,
    /// The name on the page and on cards
    #[arg(long, value_name = "NAME", value_parser = site_name)]
    pub name: Option<SiteName>,
    /// The domain of the service, or its address; without one it answers on this machine alone
    #[arg(long, value_name = "DOMAIN", value_parser = address)]
    pub address: Option<ServiceUrl>,
    /// The part of the record that is open without a key, but for games that have not started; prices become public, too
    #[arg(long, value_name = "PART", value_parser = public)]
    pub public: Option<PublicRecord>,
    /// Sign no record, and ask no timestamp server
    #[arg(long)]
    pub no_signing: bool,
    /// What runs the service
    #[arg(long, default_value = "systemd")]
    pub jobs: Jobs,
    /// Ask nothing: what is not given has its default, and files that exist are kept
    #[arg(long)]
    pub yes: bool,
    /// Do not look whether the domain leads to a machine
    #[arg(long)]
    pub offline: bool,
}

/// What starts the service and its jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Jobs {
    /// Units and timers
    Systemd,
    /// Lines of a crontab
    Cron,
    /// Nothing
    None,
}

/// Reads the name of a site, as the setting does.
pub fn site_name(text: &str) -> Result<SiteName, String> {
    SiteName::new(trim_blanks(text)).map_err(|error| format!("expected a name, such as Elo by Ann: {error}"))
}

/// Reads a domain, or an address without a path. The host is written into a Caddyfile, where other characters mean something.
pub fn address(text: &str) -> Result<ServiceUrl, String> {
    let text = trim_blanks(text);
    let url = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    let url = ServiceUrl::new(&url, &ServiceUrl::WEB).ok();
    let plain = url.filter(|url| url.as_str().split_once("://").is_some_and(|(_, host)| host.bytes().all(is_plain)));
    plain.ok_or_else(|| {
        "expected a domain, such as sports.example.com, or an address, such as https://sports.example.com:8443, without a path: \
         the service answers at the root"
            .to_owned()
    })
}

/// Reads the open part of a record.
pub fn public(text: &str) -> Result<PublicRecord, String> {
    text.parse().map_err(|error: FormError| format!("expected {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_host_and_perhaps_a_port() {
        for (text, read) in [
            ("sports.example.com", "https://sports.example.com"),
            (" Sports-1.example.com/ ", "https://sports-1.example.com"),
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("[2001:db8::1]:8443", "https://[2001:db8::1]:8443"),
            ("spörts.example", "https://xn--sprts-kua.example"),
        ] {
            assert_eq!(address(text).as_ref().map(ServiceUrl::as_str), Ok(read), "{text}");
        }
        for text in [
            "sports.example.com/path",
            "https://sports.example.com/path/",
            "sports.example.com?x=1",
            "sports.example.com/?x",
            "sports.example.com#top",
            "ann@sports.example.com",
            "sports.example.com{$x}",
            "sports_1.example.com",
            "sports.example.com,other.example.com",
            "sports.example.com:http",
            "ftp://sports.example.com",
            "",
        ] {
            let error = address(text).expect_err(text);
            assert!(
                error.starts_with("expected a domain, such as sports.example.com, or an address"),
                "{text}: {error}"
            );
        }
    }
}
