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

/// Reads a domain, or an address.
pub fn address(text: &str) -> Result<ServiceUrl, String> {
    let text = trim_blanks(text);
    let url = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    ServiceUrl::new(&url, &ServiceUrl::WEB).map_err(|error| format!("expected {error}"))
}

/// Reads the open part of a record.
pub fn public(text: &str) -> Result<PublicRecord, String> {
    text.parse().map_err(|error: FormError| format!("expected {error}"))
}
