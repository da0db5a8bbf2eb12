//! The answers of the owner: options, or lines at the terminal.

use std::io::{self, Write};

use sports_domain::{FormError, ModelType, Sport};
use sports_program::settings::{PublicRecord, ServiceUrl, SiteName};
use sports_publisher_files::convert::tables::Preset;

use crate::cli::{Init, Jobs, ModelOfTable, address, public, site_name};
use crate::failure::Failure;

/// What the folder is made of.
pub struct Answers {
    pub sport: Sport,
    pub models: Vec<ModelOfTable>,
    pub preset: Option<Preset>,
    pub name: Option<SiteName>,
    pub address: Option<ServiceUrl>,
    pub public: PublicRecord,
    pub signs: bool,
    pub jobs: Jobs,
}

impl Answers {
    /// Takes what the options say, and asks for the rest, or takes its default.
    pub fn of(given: &Init) -> Result<Self, Failure> {
        let asks = !given.yes;
        let sport = match given.sport {
            Some(sport) => sport,
            None if asks => ask(&format!("League ({})", Sport::ALL.map(Sport::code).join(", ")), "", |text| {
                text.parse().map_err(|error: FormError| error.to_string())
            })?,
            None => return Err(Failure::bad_input("--sport is missing: the league, such as --sport nfl")),
        };
        let named = |text: &str| Preset::named(text, Some(sport)).map_err(|error| error.to_string());
        let preset = given.preset.as_deref().map(named).transpose().map_err(Failure::bad_input)?.map(Some);
        let preset = given_or(preset, asks, None, || {
            let mut known = Preset::ALL.map(|preset| preset.name).to_vec();
            known.dedup();
            ask_or_nothing(&format!("Where your table is from, of {}", known.join(", ")), named)
        })?;
        let models = if asks && given.model.is_empty() { ask_for_models()? } else { given.model.clone() };
        let name = given.name.clone().map(Some);
        let name = given_or(name, asks, None, || ask_or_nothing("Name of the site", site_name))?;
        let url = given.address.clone().map(Some);
        let url = given_or(url, asks, None, || ask_or_nothing("Domain of the service", address))?;
        let public = given_or(given.public, asks, PublicRecord::None, || {
            let question = "Open the record without a key, but for games that have not started: none, finished or all. \
                            Lines and prices become public, too: check the terms of their source";
            ask(question, "none", public)
        })?;
        let signs = !given.no_signing
            && (!asks || confirm("Sign the record, and have public servers stamp its hashes?", true)?);
        Ok(Self { sport, models, preset, name, address: url, public, signs, jobs: given.jobs })
    }

    /// Returns the domain for which a certificate is needed.
    pub fn domain(&self) -> Option<&str> {
        let rest = self.address.as_ref()?.as_str().strip_prefix("https://")?;
        (!rest.contains(':')).then_some(rest)
    }
}

/// Returns what an option says, the answer to its question, or the default if nothing is asked.
fn given_or<T>(
    given: Option<T>,
    asks: bool,
    default: T,
    question: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    match given {
        Some(value) => Ok(value),
        None if asks => question(),
        None => Ok(default),
    }
}

/// Asks for one model, and for its column in each market that it forecasts.
fn ask_for_models() -> Result<Vec<ModelOfTable>, Failure> {
    let named = |name: &str| {
        format!("{name}:{}", ModelType::WonOnPoints.code()).parse::<ModelOfTable>().map(|_| name.to_owned())
    };
    let name = ask("Name of your model, such as ELO", "", named)?;
    let known = ModelType::ALL.map(ModelType::code).join(", ");
    let markets: Vec<ModelType> =
        ask(&format!("Markets that it forecasts ({known})"), ModelType::WonOnPoints.code(), |text| {
            text.split([',', ' '])
                .filter(|word| !word.is_empty())
                .map(|word| word.parse().map_err(|error: FormError| error.to_string()))
                .collect()
        })?;
    let column = name.to_ascii_lowercase();
    let models = markets.into_iter().map(|market| {
        let question = format!("Column of your table with its probability in {}", market.code());
        ask(&question, &column, |column| format!("{name}:{}={column}", market.code()).parse())
    });
    models.collect()
}

/// Asks a question that is answered with yes or no.
pub fn confirm(question: &str, default: bool) -> Result<bool, Failure> {
    ask(question, if default { "yes" } else { "no" }, |text| match text.to_ascii_lowercase().as_str() {
        "y" | "yes" => Ok(true),
        "n" | "no" => Ok(false),
        _ => Err("expected yes or no".to_owned()),
    })
}

/// Asks for what may be left out.
fn ask_or_nothing<T>(question: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<Option<T>, Failure> {
    ask(&format!("{question}, or nothing"), "", |line| (!line.is_empty()).then(|| read(line)).transpose())
}

/// Asks until a line can be read; an empty one is the default.
fn ask<T>(question: &str, default: &str, read: impl Fn(&str) -> Result<T, String>) -> Result<T, Failure> {
    loop {
        let shown = if default.is_empty() { String::new() } else { format!(" [{default}]") };
        let mut errors = io::stderr().lock();
        write!(errors, "{question}{shown}: ").and_then(|()| errors.flush()).map_err(Failure::other)?;
        let mut line = String::new();
        if io::stdin().read_line(&mut line).map_err(Failure::other)? == 0 {
            return Err(Failure::bad_input("the input ended before the last question: answer them all, or give --yes"));
        }
        let line = line.trim();
        match read(if line.is_empty() { default } else { line }) {
            Ok(value) => return Ok(value),
            Err(error) => writeln!(errors, "{error}").map_err(Failure::other)?,
        }
    }
}
