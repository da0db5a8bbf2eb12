//! Arguments about a rule of one's own.

use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Arg, ArgMatches, Args, Command, Error, FromArgMatches};
use sports_domain::{ModelType, Sport};
use sports_strategies::{ParameterForm, RuleParameter};

/// A rule, and the file that its bets are written to.
#[derive(Debug, Args)]
pub struct Backtest {
    /// The league
    pub sport: Sport,
    /// The model type that names the market in the paths of the API
    pub model_type: ModelType,
    #[command(flatten)]
    pub rule: RuleFlags,
    /// The rows of this entry of the league's log; `--as-of` selects one by its time
    #[arg(long, value_name = "N")]
    pub generation: Option<NonZeroU64>,
    /// A new file for the bets, which ends with .csv, .ndjson or .parquet
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
}

/// The parameters of a rule as they were given, each a flag.
#[derive(Debug)]
pub struct RuleFlags(Vec<(&'static str, String)>);

impl RuleFlags {
    /// Returns the names and values, for the parser of rules.
    pub fn pairs(&self) -> Vec<(&str, &str)> {
        self.0.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }
}

/// Returns the flag of a parameter.
pub fn flag(name: &str) -> String {
    name.replace('_', "-")
}

impl Args for RuleFlags {
    fn augment_args(command: Command) -> Command {
        let argument = |parameter: &RuleParameter| {
            let value = match parameter.form {
                ParameterForm::Text => "TEXT".to_owned(),
                ParameterForm::Date => "DATE".to_owned(),
                ParameterForm::Number(..) | ParameterForm::Whole(..) => "NUMBER".to_owned(),
                ParameterForm::Words(words) => words.join("|"),
            };
            let argument = Arg::new(parameter.name).long(flag(parameter.name)).value_name(value).help(parameter.help);
            // A price can begin with a minus.
            argument.allow_hyphen_values(true)
        };
        command.args(RuleParameter::ALL.iter().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for RuleFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let given =
            |parameter: &RuleParameter| Some((parameter.name, matches.get_one::<String>(parameter.name)?.clone()));
        Ok(Self(RuleParameter::ALL.iter().filter_map(given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
