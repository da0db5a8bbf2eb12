//! Arguments about the publishers' door and its tokens.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};
use sports_accounts::{KeyName, UploadRight};
use sports_domain::Sport;

use super::accounts::{label, without_key};

/// Arguments of `receive`.
#[derive(Debug, Args)]
pub struct Receive {
    /// The address to listen on; a proxy in front of it encrypts connections
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:8090")]
    pub bind: SocketAddr,
    /// Carry out one order of a door
    #[arg(long, value_name = "FILE", hide = true)]
    pub order: Option<PathBuf>,
}

/// The publishers' door: its tokens and what was sent with them.
#[derive(Debug, Subcommand)]
pub enum Publisher {
    /// Tokens with which programs publish through the door
    #[command(subcommand)]
    Token(Token),
    /// List what was uploaded, oldest first: time, token, address, sizes, answer and release
    Log {
        /// The id of one token
        #[arg(long, value_name = "ID")]
        token: Option<String>,
    },
}

/// Tokens of the publishers' door.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Make a token; it is shown this once
    Create(NewToken),
    /// List all tokens, with their last use and the number of uses
    List,
    /// Make a token unusable at once and for good
    Revoke {
        /// Its id
        id: String,
    },
}

/// What a new token is for.
#[derive(Debug, Args)]
pub struct NewToken {
    /// A league that it is for; repeat it for more
    #[arg(long, value_name = "SPORT", required = true)]
    pub league: Vec<Sport>,
    /// Your name for it, such as colab
    #[arg(long, value_parser = without_key(label::<{ KeyName::LONGEST }>))]
    pub name: KeyName,
    /// What it may do: publish, settle, or mend for overrides, corrections, models and moved games; repeat it for more
    /// [default: publish and settle]
    #[arg(long, value_name = "RIGHT")]
    pub can: Vec<UploadRight>,
    /// The time until it expires, at most a year
    #[arg(long, value_name = "TIME", default_value = "90d", value_parser = lifetime)]
    pub expires: Duration,
}

/// The longest life of a token.
const LONGEST: Duration = Duration::from_hours(24 * 366);

fn lifetime(text: &str) -> Result<Duration, String> {
    match humantime::parse_duration(text) {
        Ok(time) if !time.is_zero() && time <= LONGEST => Ok(time),
        Ok(_) => Err("expected a time of at most a year, such as 90d".to_owned()),
        Err(error) => Err(format!("expected a time, such as 90d: {error}")),
    }
}
