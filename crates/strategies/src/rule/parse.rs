use std::collections::{BTreeMap, BTreeSet};

use chrono::{NaiveDate, Weekday};
use sports_domain::{
    Club, ClubName, DateSpan, Market, ModelColumn, ModelName, ModelType, Season, Side, TeamSlug, within_reach,
};

use super::{Agreement, Filters, RowSource, Rule, Share, SideFilter, Stake};
use crate::parameter::DAYS;
use crate::threshold::{Quantity, Range, Threshold};
use crate::{BetKind, LineMove, RuleParameter};

/// The facts of a league that decide which rules there are.
#[derive(Debug, Clone, Copy)]
pub struct RuleContext<'a> {
    /// The market.
    pub market: Market,
    /// The models of the league.
    pub models: &'a [ModelName],
    /// The model of a rule that names none.
    pub default_model: ModelName,
    /// The published seasons of the market, in order of time.
    pub seasons: &'a [Season],
    /// The season of a rule that names none.
    pub default_season: Season,
}

/// The number of rules that were looked at to find one: from 1 to 100,000. A rule does not depend on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tried(u32);

impl Tried {
    /// The largest number.
    pub const MOST: u32 = 100_000;

    /// Checks a number; `None` for 0, and above [`Self::MOST`].
    pub fn new(tried: u32) -> Option<Self> {
        (1..=Self::MOST).contains(&tried).then_some(Self(tried))
    }

    /// Returns the number.
    pub const fn get(self) -> u32 {
        self.0
    }
}

/// A rule, and the number of rules that were tried.
#[derive(Debug, Clone, PartialEq)]
pub struct RuleRequest {
    /// The rule.
    pub rule: Rule,
    /// The number of rules that were tried, by default 1.
    pub tried: Tried,
}

/// The error for parameters that are no rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RuleError {
    /// A parameter that a rule does not have, or a value that it cannot have.
    #[error("`{parameter}` {remedy}")]
    Refused {
        /// The name of the parameter.
        parameter: String,
        /// The rest of the sentence: the values that it can have, or what else to send.
        remedy: String,
    },
    /// A model that the league does not have.
    #[error("the league has no model {0}")]
    NoSuchModel(ModelName),
    /// A season that is not published.
    #[error("{0} is not a published season of this market")]
    NoSuchSeason(Season),
}

/// A name that is no parameter on purpose.
const ACCOUNTING: &str = "accounting";

/// The word for every published season.
const ALL_SEASONS: &str = "all";

impl Rule {
    /// Parses a rule from parameters by name, in any order, as the query of an address has them after decoding: a blank in a number
    /// stands for a plus. Words are read in any letter case.
    ///
    /// # Errors
    ///
    /// [`RuleError`] for a name that is none of [`RuleParameter::ALL`] or is given twice, for a value that its parameter cannot have, for
    /// parameters that need each other or exclude each other, and for a model or a season that the context lacks. A team need not have
    /// played.
    pub fn parse<'a>(
        context: RuleContext<'_>,
        pairs: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<RuleRequest, RuleError> {
        let given = Given::of(pairs)?;
        let (model, seasons) = (model(context, &given)?, seasons(context, &given)?);
        let [from, to] =
            ["from", "to"].map(|name| given.read(name, "a date, YYYY-MM-DD, of the years from 1900 to 2200", date));
        let span = DateSpan::new(from?, to?).map_err(|_| refused("from", "must not be after `to`"))?;
        let source = given.word("forecast_source", &RowSource::WORDS)?;
        let hours = |text: &str| decimal(text).filter(|hours| (0.25..=168.0).contains(hours));
        let hours_before = given.read("hours_before", "a number of hours from 0.25 to 168", hours)?;
        if hours_before.is_some() && source == Some(RowSource::WalkForward) {
            let remedy = "cannot be combined with forecast_source=walk_forward, whose forecasts were not published before the start: \
                          leave one of the two out";
            return Err(refused("hours_before", remedy));
        }
        let bet = given.word("bet", &BetKind::WORDS)?;
        let (filters, stake) = (filters(context, &seasons, &given)?, stake(&given)?);
        let tried = given.whole_number("tried", 1..=Tried::MOST)?;
        let rule = Self {
            market: context.market,
            model,
            has_default_model: model == context.default_model,
            has_default_seasons: seasons == [context.default_season],
            seasons,
            span,
            source: source.unwrap_or_default(),
            hours_before,
            bet: bet.unwrap_or_default(),
            filters,
            stake,
        };
        Ok(RuleRequest { rule, tried: Tried(tried.unwrap_or(1)) })
    }
}

fn refused(parameter: &str, remedy: impl Into<String>) -> RuleError {
    RuleError::Refused { parameter: parameter.to_owned(), remedy: remedy.into() }
}

/// Parameters by name, each given once.
struct Given<'a>(BTreeMap<&'a str, &'a str>);

impl<'a> Given<'a> {
    fn of(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<Self, RuleError> {
        let mut given = BTreeMap::new();
        for (name, text) in pairs {
            if name == ACCOUNTING {
                return Err(refused(name, "is no parameter of a rule: leave it out, rules use recorded_v2"));
            }
            let names = RuleParameter::ALL.iter().map(|parameter| parameter.name);
            if !names.clone().any(|known| known == name) {
                let known = names.collect::<Vec<_>>().join(", ");
                return Err(refused(name, format!("is no parameter of a rule; these are {known}")));
            }
            if given.insert(name, text).is_some() {
                return Err(refused(name, "is given more than once: send it once"));
            }
        }
        Ok(Self(given))
    }

    fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).copied()
    }

    /// Reads a value; `allowed` ends the sentence "`name` must be …".
    fn read<T>(
        &self,
        name: &str,
        allowed: &str,
        parse: impl FnOnce(&'a str) -> Option<T>,
    ) -> Result<Option<T>, RuleError> {
        let parsed = self.text(name).map(|text| parse(text).ok_or_else(|| refused(name, format!("must be {allowed}"))));
        parsed.transpose()
    }

    /// Reads one of a few words.
    fn word<T: Copy>(&self, name: &str, words: &[(&str, T)]) -> Result<Option<T>, RuleError> {
        let known: Vec<_> = words.iter().map(|(word, _)| *word).collect();
        let (last, first) = known.split_last().unwrap_or((&"", &[]));
        let allowed = format!("{} or {last}", first.join(", "));
        self.read(name, &allowed, |text| {
            words.iter().find(|(word, _)| word.eq_ignore_ascii_case(text)).map(|(_, value)| *value)
        })
    }

    /// Reads a whole number, which may be written as a decimal.
    fn whole_number(&self, name: &str, range: std::ops::RangeInclusive<u32>) -> Result<Option<u32>, RuleError> {
        let allowed = format!("a whole number from {} to {}", range.start(), range.end());
        self.read(name, &allowed, |text| whole(decimal(text)?).filter(|number| range.contains(number)))
    }
}

/// Parses a finite decimal number, such as `.5` or `3e-2`. A blank stands for a plus, which addresses cannot have.
fn decimal(text: &str) -> Option<f64> {
    let text = text.replace(' ', "+");
    let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || b"+-.eE".contains(&byte));
    // Adding zero turns `-0.0` into `0.0`.
    text.parse::<f64>().ok().filter(|number| is_decimal && number.is_finite()).map(|number| number + 0.0)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole, and saturating")]
fn whole(number: f64) -> Option<u32> {
    (number.fract() == 0.0 && number >= 0.0).then_some(number as u32)
}

fn date(text: &str) -> Option<NaiveDate> {
    let date = text.parse::<NaiveDate>().ok()?;
    within_reach(date).ok().filter(|date| date.to_string() == text)
}

fn model(context: RuleContext<'_>, given: &Given<'_>) -> Result<ModelName, RuleError> {
    let named = given.read("model", "the name of a model of the league", |text| text.parse().ok())?;
    named.map_or(Ok(context.default_model), |model| known_model(context, "model", model))
}

fn known_model(context: RuleContext<'_>, parameter: &str, model: ModelName) -> Result<ModelName, RuleError> {
    if model.column() == Some(ModelColumn::Implied) {
        return Err(refused(parameter, "must be of models: IMPLIED is the market's probability"));
    }
    if context.models.contains(&model) { Ok(model) } else { Err(RuleError::NoSuchModel(model)) }
}

fn seasons(context: RuleContext<'_>, given: &Given<'_>) -> Result<Vec<Season>, RuleError> {
    let list = match given.text("season") {
        None => return Ok(vec![context.default_season]),
        Some(ALL_SEASONS) => return Ok(context.seasons.to_vec()),
        Some(list) => list,
    };
    let mut seasons = BTreeSet::new();
    for label in list.split(',') {
        let season = Season::parse(context.market.sport, label);
        let season = season.map_err(|reason| refused("season", format!("is wrong: {reason}; `all` stands alone")))?;
        if !seasons.insert(season) {
            return Err(refused("season", format!("names {season} more than once: name it once")));
        }
        if !context.seasons.contains(&season) {
            return Err(RuleError::NoSuchSeason(season));
        }
    }
    Ok(seasons.into_iter().collect())
}

fn filters(context: RuleContext<'_>, seasons: &[Season], given: &Given<'_>) -> Result<Filters, RuleError> {
    let model_type = context.market.model_type;
    let [positive, negative] =
        [Side::Positive, Side::Negative].map(|side| (model_type.side_word(side), SideFilter::Of(side)));
    let relative = [("favourite", SideFilter::Favourite), ("underdog", SideFilter::Underdog)];
    let mut ranges = [Range::default(); Quantity::ALL.len()];
    for quantity in Quantity::ALL {
        ranges[quantity as usize] = range(model_type, given, quantity)?;
    }
    let days: Vec<_> = (0..7).zip(DAYS).filter_map(|(day, word)| Some((*word, Weekday::try_from(day).ok()?))).collect();
    Ok(Filters {
        side: given.word("side", &[positive, negative, relative[0], relative[1]])?,
        ranges,
        line_move: given.word("line_move", &LineMove::WORDS)?,
        agreement: agreement(context, given)?,
        team: team(context, seasons, given)?,
        weekday: given.word("weekday", &days)?,
        month: given.whole_number("month", 1..=12)?,
    })
}

/// Reads a team: its slug, or a shorter name of one club.
fn team(context: RuleContext<'_>, seasons: &[Season], given: &Given<'_>) -> Result<Option<TeamSlug>, RuleError> {
    let team = given.read("team", "a team's slug, such as buffalo_bills", |text| TeamSlug::normalise(text).ok())?;
    let (Some(team), Some(newest), sport) = (team, seasons.last(), context.market.sport) else { return Ok(None) };
    if Club::named(sport, &team).is_some() {
        return Ok(Some(team));
    }
    let clubs: Vec<_> = Club::candidates(sport, *newest, &team).into_iter().map(ClubName::slug).collect();
    match clubs[..] {
        [] => Ok(Some(team)),
        [club] => Ok(Some(club.clone())),
        _ => {
            let names: Vec<_> = clubs.iter().map(|club| club.as_str()).collect();
            Err(refused("team", format!("is the name of several clubs: send one of {}", names.join(", "))))
        }
    }
}

fn range(model_type: ModelType, given: &Given<'_>, quantity: Quantity) -> Result<Range, RuleError> {
    let names @ [least, most] = quantity.names();
    if let Some(name) = names.into_iter().find(|name| given.text(name).is_some())
        && (quantity, model_type) == (Quantity::Line, ModelType::WonOnPoints)
    {
        return Err(refused(name, "is of totals and spreads: leave it out, a moneyline has no number"));
    }
    let [min, max] =
        names.map(|name| given.read(name, quantity.allowed(), |text| Threshold::new(quantity, decimal(text)?)));
    Range::new([min?, max?]).ok_or_else(|| refused(least, format!("must not be above `{most}`")))
}

fn agreement(context: RuleContext<'_>, given: &Given<'_>) -> Result<Option<Agreement>, RuleError> {
    let Some(list) = given.text("models") else {
        let needs = |_| Err(refused("agree", "needs `models`, the models that vote, with commas between them"));
        return given.text("agree").map_or(Ok(None), needs);
    };
    let names: Vec<_> = list.split(',').collect();
    if names.len() > context.models.len() {
        let remedy =
            format!("names {} models, and the league has {}: name some of these", names.len(), context.models.len());
        return Err(refused("models", remedy));
    }
    let mut models = Vec::with_capacity(names.len());
    for name in names {
        let malformed = |_| refused("models", "must be names of models with commas between them");
        let model = known_model(context, "models", name.parse().map_err(malformed)?)?;
        if models.contains(&model) {
            return Err(refused("models", format!("names {model} more than once: name it once")));
        }
        models.push(model);
    }
    let most = u32::try_from(models.len()).unwrap_or(u32::MAX);
    let least = given
        .whole_number("agree", 1..=most)
        .map_err(|_| refused("agree", format!("must be a whole number from 1 to {most}, the number of `models`")))?;
    let least = least.ok_or_else(|| refused("models", "needs `agree`, the least number of them that agree"))?;
    Ok(Agreement::new(least as usize, models))
}

fn stake(given: &Given<'_>) -> Result<Stake, RuleError> {
    let is_kelly = given.word("stake", &[("flat", false), ("kelly", true)])? == Some(true);
    let share = |name| match given.text(name) {
        Some(_) if !is_kelly => Err(refused(name, "is of stake=kelly: send that too, or leave it out")),
        _ => given.read(name, "a fraction above 0, at most 1, such as 0.25", |text| Share::new(decimal(text)?)),
    };
    let (fraction, max_stake) = (share("fraction")?, share("max_stake")?);
    let (fraction, max_stake) = (fraction.unwrap_or(Share::FRACTION), max_stake.unwrap_or(Share::MAX_STAKE));
    Ok(if is_kelly { Stake::Kelly { fraction, max_stake } } else { Stake::Flat })
}

/// Returns the word of a day.
pub const fn weekday(day: Weekday) -> &'static str {
    DAYS[day.num_days_from_monday() as usize]
}

/// Returns the name of a day in a sentence.
pub fn day_name(day: Weekday) -> String {
    let (first, rest) = weekday(day).split_at(1);
    first.to_uppercase() + rest
}
