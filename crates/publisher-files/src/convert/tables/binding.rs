//! The application of a map to the header of a file.

use sports_domain::{FormError, LineColumn, ModelType, Season};

use super::field::{FinalForm, ForecastSide, OddsForm, ProbabilityForm, RowLayout, RowOfGame, SeasonForm, SpreadForm};
use super::source::{Header, NoColumn};
use crate::convert::tables::entry::{Entry, ZoneEntry};
use crate::convert::tables::field::{Field, TextColumn};
use crate::convert::tables::findings::Findings;
use crate::convert::tables::map::{ColumnMap, Filter};
use crate::convert::tables::patterns::Pattern;
use crate::convert::tables::plan::{
    FilterColumn, GameNumbers, GameTypeOrigin, ModelOrigin, Origin, Plan, StartColumns, TeamColumns, WordColumn,
    ZoneOrigin,
};
use crate::convert::tables::postseason::Postseason;
use crate::convert::tables::zone::Zone;

/// The word of an entry for counted game numbers.
const IN_ORDER: &str = "order-in-file";

/// The values that flags supply.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Supplied {
    pub(crate) season: Option<Season>,
    pub(crate) postseason: Option<Postseason>,
    pub(crate) needs_game_type: bool,
}

/// Binds a map to the header of a file; records a problem for each column that is missing or unclear.
pub(crate) fn bind(map: &ColumnMap, header: &mut Header, supplied: Supplied, found: &mut Findings) -> Option<Plan> {
    let before = found.problem_count();
    let mut binding = Binding { map, header, found, absent: Vec::new() };
    let plan = binding.plan(supplied);
    let absent = std::mem::take(&mut binding.absent);
    found.note_absent(&absent);
    plan.filter(|_| found.problem_count() == before)
}

struct Binding<'a> {
    map: &'a ColumnMap,
    header: &'a mut Header,
    found: &'a mut Findings,
    /// The values that the map names and the file does not have.
    absent: Vec<String>,
}

impl Binding<'_> {
    fn plan(&mut self, supplied: Supplied) -> Option<Plan> {
        let season = self.season(supplied.season);
        let starts = self.starts();
        let teams = self.teams();
        let game_type = self.game_type(supplied);
        Some(Plan {
            season,
            starts,
            side: self.side(),
            pair_by: self.pair_by(),
            favourite: self.words(Field::Favourite),
            game_number: self.game_number(),
            score: self.score(),
            scores: self.scores(),
            status: self.words(Field::Status),
            texts: TextColumn::ALL
                .into_iter()
                .filter_map(|text| Some((text, self.origin(Field::Text(text))?)))
                .collect(),
            prices: self.prices(),
            spreads: self.spreads(),
            totals: self.totals(),
            models: self.models(),
            extras: self.extras(),
            filters: self.filters(),
            // Last, so that the problems of all columns are recorded.
            teams: teams?,
            game_type: game_type?,
        })
    }

    fn pair_by(&mut self) -> Vec<usize> {
        let map = self.map;
        map.pair_by.iter().filter_map(|name| self.index(name, "pair-by")).collect()
    }

    fn score(&mut self) -> Option<(Origin, FinalForm)> {
        let origin = self.origin(Field::Score)?;
        let form = self.form(Field::Score, FinalForm::named, FinalForm::WORDS);
        Some((origin, form.unwrap_or(FinalForm::AwayHome)))
    }

    fn teams(&mut self) -> Option<TeamColumns> {
        if self.map.entry(Field::Matchup).is_some() {
            return self.needed(Field::Matchup).map(TeamColumns::Matchup);
        }
        if !self.has_place() {
            let (away, home) = (self.needed(Field::AwayTeam), self.needed(Field::HomeTeam));
            return Some(TeamColumns::Sides { away: away?, home: home? });
        }
        let [team, opponent, place] = [Field::Team, Field::Opponent, Field::Place].map(|field| self.needed(field));
        let words = self.map.entry(Field::Place).map(|entry| entry.words.clone()).unwrap_or_default();
        Some(TeamColumns::Placed { team: team?, opponent: opponent?, place: WordColumn { origin: place?, words } })
    }

    fn has_place(&self) -> bool {
        self.map.entry(Field::Matchup).is_none() && self.map.entry(Field::Team).is_some()
    }

    fn scores(&mut self) -> [Option<Origin>; 2] {
        let of_place = [Field::TeamScore, Field::OpponentScore];
        let fields = if self.has_place() { of_place } else { [Field::AwayScore, Field::HomeScore] };
        fields.map(|field| self.origin(field))
    }

    fn extras(&mut self) -> Vec<Option<Origin>> {
        let map = self.map;
        let find = |name: &String| self.header.find(std::slice::from_ref(name)).ok().map(|index| column(name, index));
        map.extras.iter().map(find).collect()
    }

    /// Finds the column of a value; records a problem if the publisher's own map names it and the file lacks it.
    fn origin(&mut self, field: Field) -> Option<Origin> {
        let entry = self.map.entry(field)?;
        let is_insisted = self.map.insists_on(field, entry);
        self.entry_origin(entry, &format!("columns.{}", field.name()), field.name(), is_insisted)
    }

    fn entry_origin(&mut self, entry: &Entry, key: &str, name: &str, is_insisted: bool) -> Option<Origin> {
        let row = entry.row.or_else(|| row_of(name));
        match self.header.column(entry) {
            Ok(Some(index)) => Some(Origin::Column { name: self.header.name(index).into_owned(), index, row }),
            Ok(None) => entry.constant.clone().map(Origin::Constant),
            Err(NoColumn::Repeated(column)) => {
                let remedy = "or its position, such as `#4`, in the map";
                let expected = format!("one column of this name, which `{key}` of the map names, {remedy}");
                self.found.file_problem(Some(&column), expected);
                None
            }
            Err(NoColumn::Absent(names)) if is_insisted => {
                let remedy = "or `optional = true` in the entry";
                self.found.file_problem(
                    None,
                    format!("a column for {name}: {names}, as `{key}` of the map names it, {remedy}"),
                );
                None
            }
            Err(NoColumn::Absent(names)) => {
                self.absent.push(format!("{name} ({names})"));
                None
            }
        }
    }

    /// Finds the column of a value that every file must have.
    fn needed(&mut self, field: Field) -> Option<Origin> {
        let Some(entry) = self.map.entry(field) else {
            let hint = self.header.hint(field.name());
            self.missing(field, &format!("`{}` under [columns] of a map names its column{hint}", field.name()));
            return None;
        };
        self.entry_origin(entry, &format!("columns.{}", field.name()), field.name(), true)
    }

    fn missing(&mut self, field: Field, remedy: &str) {
        self.found.file_problem(None, format!("a value for {}, which nothing supplies: {remedy}", field.name()));
    }

    /// Finds a column that the map names outside of `[columns]`.
    fn index(&mut self, name: &str, key: &str) -> Option<usize> {
        let index = self.header.find(&[name.to_owned()]).ok();
        if index.is_none() {
            let hint = self.header.hint(name);
            self.found.file_problem(Some(name), format!("a column of this name, which `{key}` of the map names{hint}"));
        }
        index
    }

    fn season(&mut self, supplied: Option<Season>) -> Option<(Origin, SeasonForm)> {
        let origin = match self.map.entry(Field::Season) {
            Some(_) => self.origin(Field::Season),
            None => None,
        };
        if origin.is_none() && supplied.is_none() {
            let remedy =
                "--season LABEL names the season of the whole file, or `season` under [columns] of a map its column";
            self.missing(Field::Season, remedy);
        }
        let form = self.form(Field::Season, SeasonForm::named, SeasonForm::WORDS);
        origin.map(|origin| (origin, form.unwrap_or(SeasonForm::Label)))
    }

    fn starts(&mut self) -> StartColumns {
        let start = self.origin(Field::Start).map(|origin| (origin, self.patterns(Field::Start)));
        let date = self.origin(Field::Date).map(|origin| (origin, self.patterns(Field::Date)));
        let time = self.origin(Field::Time).map(|origin| (origin, self.patterns(Field::Time)));
        if start.is_none() && date.is_none() {
            let mapped = [Field::Start, Field::Date].into_iter().filter_map(|field| self.map.entry(field));
            let names: Vec<_> = mapped.flat_map(|entry| &entry.column).map(|name| format!("`{name}`")).collect();
            let tried =
                if names.is_empty() { String::new() } else { format!(" (the file has none of {})", names.join(", ")) };
            self.missing(
                Field::Date,
                &format!("`date`, or `start` for date and time, under [columns] of a map names its column{tried}"),
            );
        }
        let zone = self.zone(start.is_some(), time.is_some());
        StartColumns { start, date, time, zone }
    }

    fn zone(&mut self, has_start: bool, has_time: bool) -> Option<ZoneOrigin> {
        let entries = [(Field::Start, has_start), (Field::Time, has_time)];
        let mut given =
            entries.into_iter().filter(|(_, is_read)| *is_read).filter_map(|(field, _)| self.map.entry(field));
        match given.find_map(|entry| entry.zone.as_ref()) {
            Some(ZoneEntry::Named(word)) => {
                let zone = Zone::named(word);
                if zone.is_none() {
                    let form = "`eastern`, `utc`, a name such as America/Chicago, or { column = \"…\" } for a zone or a venue in each row";
                    self.found
                        .file_problem(None, format!("a time zone in the map: `{word}` is none; zones are {form}"));
                }
                zone.map(ZoneOrigin::One)
            }
            Some(ZoneEntry::Column(names)) => {
                let index = self.header.find(names).ok();
                if index.is_none() {
                    self.found.file_problem(None, format!("a column of time zones or venues: {}", names.join(", ")));
                }
                index.map(|index| ZoneOrigin::Column(column(&self.header.name(index), index)))
            }
            None if has_time => {
                self.missing(
                    Field::Time,
                    "`zone` in its entry of the map: the clock of these times, such as eastern or utc",
                );
                None
            }
            None => None,
        }
    }

    fn patterns(&mut self, field: Field) -> Vec<Pattern> {
        let texts = self.map.entry(field).map_or(&[][..], |entry| &entry.pattern);
        let mut patterns = Vec::new();
        for text in texts {
            match Pattern::new(text) {
                Some(pattern) => patterns.push(pattern),
                None => self.found.file_problem(
                    None,
                    format!("a pattern such as %m/%d/%Y in columns.{}; `{text}` is none", field.name()),
                ),
            }
        }
        patterns
    }

    fn words(&mut self, field: Field) -> Option<WordColumn> {
        let origin = self.origin(field)?;
        let words = self.map.entry(field).map(|entry| entry.words.clone()).unwrap_or_default();
        Some(WordColumn { origin, words })
    }

    fn side(&mut self) -> Option<WordColumn> {
        if self.map.rows != Some(RowLayout::OneATeam) {
            return None;
        }
        let side = self.words(Field::Side);
        if side.is_none() {
            self.missing(Field::Side, "files with two rows a game have a column with the side of each team");
        }
        side
    }

    fn game_number(&mut self) -> Option<GameNumbers> {
        match self.map.entry(Field::GameNumber)?.is.as_deref() {
            Some(IN_ORDER) => Some(GameNumbers::Counted),
            _ => self.origin(Field::GameNumber).map(GameNumbers::Column),
        }
    }

    fn game_type(&mut self, supplied: Supplied) -> Option<GameTypeOrigin> {
        if !supplied.needs_game_type {
            return Some(GameTypeOrigin::NotNeeded);
        }
        if let Some(postseason) = supplied.postseason {
            return Some(GameTypeOrigin::ByDate(postseason));
        }
        let entry = self.map.entry(Field::GameType);
        if let Some(text) = entry.and_then(|entry| entry.postseason_from.as_deref()) {
            let postseason = text.parse().map_err(|error: FormError| {
                self.found.file_problem(None, format!("`postseason-from` of columns.game_type in the map: {error}"));
            });
            return postseason.ok().map(GameTypeOrigin::ByDate);
        }
        let before = self.found.problem_count();
        let found = self.words(Field::GameType);
        if found.is_none() && self.found.problem_count() == before {
            let remedy = "--postseason-from DATE names the first date of the postseason (or `none`), \
                          or `game_type` under [columns] of a map its column";
            self.missing(Field::GameType, remedy);
        }
        found.map(GameTypeOrigin::Column)
    }

    fn lines(&mut self, wanted: impl Fn(LineColumn) -> bool) -> Vec<(LineColumn, Origin)> {
        let wanted = LineColumn::ALL.into_iter().filter(|line| wanted(*line));
        wanted.filter_map(|line| Some((line, self.origin(Field::Line(line))?))).collect()
    }

    fn prices(&mut self) -> Vec<(LineColumn, Origin, OddsForm)> {
        let lines = self.lines(LineColumn::holds_prices);
        let general = self.map.odds.unwrap_or(OddsForm::American);
        let form = |(line, origin)| {
            let form = self.form(Field::Line(line), OddsForm::named, OddsForm::WORDS);
            (line, origin, form.unwrap_or(general))
        };
        lines.into_iter().map(form).collect()
    }

    fn spreads(&mut self) -> Vec<(LineColumn, Origin, SpreadForm)> {
        let lines = self.lines(|line| !line.holds_prices() && !is_total(line));
        let form = |(line, origin)| {
            let is_away = matches!(line, LineColumn::AwayPointSpread | LineColumn::OpenAwayPointSpread);
            let own = if is_away { SpreadForm::AwayPoints } else { SpreadForm::HomePoints };
            let form = self.form(Field::Line(line), SpreadForm::named, SpreadForm::WORDS);
            (line, origin, form.unwrap_or(own))
        };
        lines.into_iter().map(form).collect()
    }

    fn totals(&mut self) -> Vec<(LineColumn, Origin)> {
        self.lines(is_total)
    }

    /// Returns the form that an entry names; records a problem if its value has no such form.
    fn form<F>(&mut self, field: Field, named: impl Fn(&str) -> Option<F>, words: &[&str]) -> Option<F> {
        let word = self.map.entry(field)?.is.as_deref()?;
        self.form_of(word, &format!("columns.{}", field.name()), named, words)
    }

    fn form_of<F>(&mut self, word: &str, key: &str, named: impl Fn(&str) -> Option<F>, words: &[&str]) -> Option<F> {
        let form = named(word);
        if form.is_none() {
            let hint = crate::did_you_mean(word, words.iter().copied());
            self.found.file_problem(
                None,
                format!("`is` of {key} in the map as one of {}; `{word}` is none{hint}", words.join(", ")),
            );
        }
        form
    }

    fn models(&mut self) -> Vec<ModelOrigin> {
        let general = self.map.probabilities.unwrap_or(ProbabilityForm::Fraction);
        let map = self.map;
        let all = ModelType::ALL
            .into_iter()
            .flat_map(|market| map.models_of(market).map(move |(name, entry)| (market, name, entry)));
        let mut models = Vec::new();
        for (place, (market, name, entry)) in all.enumerate() {
            let key = format!("models.{}.{name}", market.code());
            let word = entry.is.as_deref();
            let form = word.and_then(|word| self.form_of(word, &key, ProbabilityForm::named, ProbabilityForm::WORDS));
            let of = entry.of.unwrap_or(if market == ModelType::OverUnder {
                ForecastSide::Over
            } else {
                ForecastSide::Home
            });
            let is_total = matches!(of, ForecastSide::Over | ForecastSide::Under);
            if is_total != (market == ModelType::OverUnder) {
                self.found.file_problem(None, format!("`of` of {key} in the map as a side of this market"));
            }
            if let Some(origin) = self.entry_origin(entry, &key, name, map.insists_on_model(market, name, entry)) {
                models.push(ModelOrigin { place, origin, form: form.unwrap_or(general), of });
            }
        }
        models
    }

    fn filters(&mut self) -> Vec<FilterColumn> {
        let filters = self.map.filters.iter();
        let column = |(name, filter): (&String, &Filter)| {
            let index = self.index(name, "filters")?;
            Some(FilterColumn { name: name.clone(), index, filter: filter.clone() })
        };
        filters.filter_map(column).collect()
    }
}

fn column(name: &str, index: usize) -> Origin {
    Origin::Column { name: name.to_owned(), index, row: None }
}

/// Returns the row of a game with two rows that has the value of this name.
fn row_of(name: &str) -> Option<RowOfGame> {
    let side = name.strip_prefix("open_").unwrap_or(name);
    if side.starts_with("away_") {
        return Some(RowOfGame::Away);
    }
    side.starts_with("home_").then_some(RowOfGame::Home)
}

/// Returns true for the columns of totals.
const fn is_total(line: LineColumn) -> bool {
    matches!(line, LineColumn::OverUnder | LineColumn::OpenOverUnder)
}
