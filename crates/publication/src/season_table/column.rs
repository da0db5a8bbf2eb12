use std::fmt;

use sports_domain::{
    AmericanPrice, GameLines, HomeSpread, LineColumn, LineValue, ModelColumn, ModelType, NotALine, Probability, Total,
};
use sports_grading::{MarketGame, Verdict};

use crate::{ArchivedGame, SeasonArchive, Value, ValueKind};

/// One column of a season.
#[derive(Clone, Copy)]
pub struct SeasonColumn {
    /// Its name in files, archives and served rows.
    pub name: &'static str,
    /// The kind of its values.
    pub kind: ColumnKind,
    /// The group of columns beside it in files and archives.
    pub group: ColumnGroup,
    /// Its meaning in a served row, in a sentence.
    pub documentation: &'static str,
    /// The seasons that have it.
    pub in_seasons: InSeasons,
    /// The rows of such a season that have it.
    pub in_rows: InRows,
    /// An example of a value.
    pub example: Option<Value<&'static str>>,
    in_files: Option<&'static str>,
    place: usize,
    content: Content,
}

/// A function that reads a game's value.
pub(super) type Get = for<'a> fn(&'a ArchivedGame) -> Option<Value<&'a str>>;

/// A function that sets a game's value; it ignores a value of another kind.
pub(super) type Set = fn(&mut ArchivedGame, Value<&str>);

/// A function that reads a game's text.
pub(super) type GetText = for<'a> fn(&'a ArchivedGame) -> Option<&'a str>;

/// Access to a text of a game.
pub(super) type TextField = for<'a> fn(&'a mut ArchivedGame) -> &'a mut Option<String>;

/// Computes a value from a game and its grading.
pub(super) type Grade = for<'a> fn(&GradedGame<'a>) -> Option<Value<&'a str>>;

/// The source of a column's values.
#[derive(Clone, Copy)]
enum Content {
    /// In the game's key.
    Key(Get),
    /// The season's label, the same in each row.
    Season,
    /// A value with a meaning of its own.
    Single(Get, Set),
    /// A text with a meaning of its own.
    Text(GetText, TextField),
    /// One of several columns with a meaning together only, which [`super::RowValues`] combines.
    Part(Get),
    Line(LineColumn),
    Model(ModelColumn),
    /// Computed and never stored.
    Graded(Grade),
}

/// The error for a value that is not valid in its column.
pub(super) type ConversionError = Box<dyn std::error::Error + Send + Sync>;

impl SeasonColumn {
    const fn new(
        name: &'static str,
        kind: ColumnKind,
        group: ColumnGroup,
        content: Content,
        documentation: &'static str,
    ) -> Self {
        let (in_seasons, in_rows) = (InSeasons::All, InRows::OrNull);
        Self { name, kind, group, documentation, in_seasons, in_rows, example: None, in_files: None, place: 0, content }
    }

    /// Creates a column of the game's key.
    pub(super) const fn key(
        name: &'static str,
        kind: ColumnKind,
        group: ColumnGroup,
        get: Get,
        doc: &'static str,
    ) -> Self {
        Self::new(name, kind, group, Content::Key(get), doc)
    }

    pub(super) const fn season(name: &'static str, doc: &'static str) -> Self {
        Self::new(name, ColumnKind::Season, ColumnGroup::Start, Content::Season, doc)
    }

    /// Creates a column whose value has a meaning of its own.
    pub(super) const fn single(
        name: &'static str,
        kind: ColumnKind,
        group: ColumnGroup,
        get: Get,
        set: Set,
        doc: &'static str,
    ) -> Self {
        Self::new(name, kind, group, Content::Single(get, set), doc)
    }

    /// Creates a column of texts, each with a meaning of its own.
    pub(super) const fn text(
        name: &'static str,
        group: ColumnGroup,
        get: GetText,
        field: TextField,
        doc: &'static str,
    ) -> Self {
        Self::new(name, ColumnKind::Text, group, Content::Text(get, field), doc)
    }

    /// Creates one of several columns with a meaning together only.
    pub(super) const fn part(
        name: &'static str,
        kind: ColumnKind,
        group: ColumnGroup,
        get: Get,
        doc: &'static str,
    ) -> Self {
        Self::new(name, kind, group, Content::Part(get), doc)
    }

    pub(super) const fn line(line: LineColumn, kind: ColumnKind, group: ColumnGroup, doc: &'static str) -> Self {
        Self::new(line.name(), kind, group, Content::Line(line), doc)
    }

    pub(super) const fn model(model: ModelColumn, doc: &'static str) -> Self {
        Self::new(model.name(), ColumnKind::Probability, ColumnGroup::Models, Content::Model(model), doc)
    }

    /// Creates a column that is computed for served rows.
    pub(super) const fn graded(
        name: &'static str,
        kind: ColumnKind,
        group: ColumnGroup,
        get: Grade,
        doc: &'static str,
    ) -> Self {
        Self::new(name, kind, group, Content::Graded(get), doc)
    }

    pub(super) const fn filled(self) -> Self {
        Self { in_rows: InRows::Filled, ..self }
    }

    pub(super) const fn left_out_where_null(self) -> Self {
        Self { in_rows: InRows::OrLeftOut, ..self }
    }

    pub(super) const fn of_some_seasons(self) -> Self {
        Self { in_seasons: InSeasons::Some, ..self }
    }

    /// Marks a column that only archives have.
    pub(super) const fn in_archives_only(self) -> Self {
        Self { in_seasons: InSeasons::None, ..self }
    }

    pub(super) const fn of_market(self, model_type: ModelType) -> Self {
        Self { in_seasons: InSeasons::OfMarket(model_type), ..self }
    }

    /// Sets the explanation of a publisher's values, if they differ from those of a row.
    pub(super) const fn in_files(self, explanation: &'static str) -> Self {
        Self { in_files: Some(explanation), ..self }
    }

    pub(super) const fn example(self, example: Value<&'static str>) -> Self {
        Self { example: Some(example), ..self }
    }

    pub(super) const fn at(self, place: usize) -> Self {
        Self { place, ..self }
    }

    /// Returns its index in the table.
    pub(super) const fn place(&self) -> usize {
        self.place
    }

    /// Returns the content of this column in a publisher's file, in a sentence.
    pub const fn in_a_file(&self) -> &'static str {
        match self.in_files {
            Some(explanation) => explanation,
            None => self.documentation,
        }
    }

    /// Returns true if the column identifies a game, by its key, its season, the part of the season or an id, so that it is
    /// the same in all markets.
    pub const fn identifies_games(&self) -> bool {
        matches!(
            self.group,
            ColumnGroup::Start
                | ColumnGroup::GameType
                | ColumnGroup::Teams
                | ColumnGroup::GameNumber
                | ColumnGroup::MatchId
        )
    }

    /// Returns true if archives have the column; other columns are computed.
    pub const fn is_stored(&self) -> bool {
        !matches!(self.content, Content::Graded(_))
    }

    /// Returns true if publishers give the values; others are computed or kept by the service.
    pub const fn is_published(&self) -> bool {
        self.is_stored() && !matches!(self.group, ColumnGroup::History | ColumnGroup::Record)
    }

    /// Returns true if the games of a file or archive cannot be identified without this column.
    pub const fn is_required(&self) -> bool {
        matches!((self.content, self.in_rows), (Content::Key(_), InRows::Filled))
    }

    /// Returns the line or price in the column, if any.
    pub const fn line_column(&self) -> Option<LineColumn> {
        if let Content::Line(line) = self.content { Some(line) } else { None }
    }

    /// Returns the model whose probabilities are in the column, if any.
    pub const fn model_column(&self) -> Option<ModelColumn> {
        if let Content::Model(model) = self.content { Some(model) } else { None }
    }

    /// Returns a game's value in the archive of the season `season`; `None` for computed columns.
    pub fn stored<'a>(&self, game: &'a ArchivedGame, season: &'a str) -> Option<Value<&'a str>> {
        match self.content {
            Content::Key(get) | Content::Single(get, _) | Content::Part(get) => get(game),
            Content::Text(get, _) => get(game).map(Value::Text),
            Content::Season => Some(Value::Text(season)),
            Content::Line(line) => game.facts.lines.value(line).map(|value| match value {
                LineValue::Price(price) => Value::Integer(price.get().into()),
                LineValue::Points(points) => Value::Number(points),
            }),
            Content::Model(model) => {
                game.forecast.forecasts.get(model).map(|probability| Value::Number(probability.get()))
            }
            Content::Graded(_) => None,
        }
    }

    /// Returns a game's value in a served row.
    pub fn served<'a>(&self, game: &GradedGame<'a>) -> Option<Value<&'a str>> {
        match self.content {
            Content::Graded(get) => get(game),
            _ => self.stored(game.game, game.season),
        }
    }

    /// Sets a game's value, if the value has a meaning of its own.
    pub(super) fn set(&self, game: &mut ArchivedGame, value: Value<&str>) -> Result<(), ConversionError> {
        match self.content {
            Content::Single(_, set) => set(game, value),
            Content::Text(_, field) => *field(game) = value.text().map(str::to_owned),
            Content::Line(line) => match value {
                Value::Integer(price) if line.holds_prices() => {
                    game.facts.lines.set_price(line, Some(AmericanPrice::new(i32::try_from(price)?)?));
                }
                Value::Number(points) => set_points(&mut game.facts.lines, line, points)?,
                _ => {}
            },
            Content::Model(model) => {
                if let Some(probability) = value.number() {
                    game.forecast.forecasts = game.forecast.forecasts.with(model, Probability::new(probability)?);
                }
            }
            Content::Key(_) | Content::Season | Content::Part(_) | Content::Graded(_) => {}
        }
        Ok(())
    }
}

/// Sets the points of a line. Home and away spread are one value under two names; the home spread takes precedence.
fn set_points(lines: &mut GameLines, line: LineColumn, points: f64) -> Result<(), NotALine> {
    match line {
        LineColumn::HomePointSpread => lines.spread = Some(HomeSpread::new(points)?),
        LineColumn::OpenHomePointSpread => lines.open_spread = Some(HomeSpread::new(points)?),
        LineColumn::AwayPointSpread if lines.spread.is_none() => lines.spread = Some(HomeSpread::new(-points)?),
        LineColumn::OpenAwayPointSpread if lines.open_spread.is_none() => {
            lines.open_spread = Some(HomeSpread::new(-points)?);
        }
        LineColumn::OverUnder => lines.total = Some(Total::new(points)?),
        LineColumn::OpenOverUnder => lines.open_total = Some(Total::new(points)?),
        _ => {}
    }
    Ok(())
}

impl PartialEq for SeasonColumn {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl Eq for SeasonColumn {}

impl fmt::Debug for SeasonColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The kind of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnKind {
    /// `YYYY-MM-DD`.
    Date,
    /// `HH:MM:SS` or `HH:MM`.
    Time,
    /// An Eastern date and time, `YYYY-MM-DD HH:MM:SS`.
    WallClock,
    /// A time with its offset from UTC (RFC 3339).
    Instant,
    /// `YYYY` for mlb, else `YYYY-YY`.
    Season,
    /// A display name or slug.
    Team,
    /// A whole number, 1 to 9.
    GameNumber,
    /// A whole number, 0 or more.
    Score,
    /// American odds; 0 for none.
    Price,
    /// A spread in points; 0 is a pick'em.
    Points,
    /// A total in points; 0 for none.
    Total,
    /// From 0 to 1.
    Probability,
    /// 0 or 1.
    Outcome,
    /// True or false.
    Flag,
    /// One of these words.
    Word(&'static [&'static str]),
    /// Anything.
    Text,
}

impl ColumnKind {
    /// Returns the kind of the parsed values.
    pub const fn value_kind(self) -> ValueKind {
        match self {
            Self::Date => ValueKind::Date,
            Self::Time => ValueKind::Time,
            Self::WallClock => ValueKind::WallClock,
            Self::Instant => ValueKind::Instant,
            Self::GameNumber | Self::Score | Self::Price | Self::Outcome => ValueKind::Integer,
            Self::Points | Self::Total | Self::Probability => ValueKind::Number,
            Self::Flag => ValueKind::Flag,
            Self::Season | Self::Team | Self::Word(_) | Self::Text => ValueKind::Text,
        }
    }
}

/// Columns that are side by side in files and archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColumnGroup {
    /// The start of the game, and the season's label.
    Start,
    /// The part of the season.
    GameType,
    /// The two teams.
    Teams,
    /// The game of a doubleheader.
    GameNumber,
    /// The game's identity and the publisher's id.
    MatchId,
    /// The history of the start.
    History,
    /// The final score.
    Score,
    /// The outcome: true if the positive side won.
    Outcome,
    /// Probabilities.
    Models,
    /// Closing lines and prices.
    Closing,
    /// Opening lines and prices.
    Opening,
    /// The source of prices.
    Quotes,
    /// The settlement of the final.
    Settlement,
    /// The verdict of grading.
    Grading,
    /// The method behind the probabilities.
    Making,
    /// The origin of the forecast, and its time.
    Origin,
    /// The log's own word about the forecast.
    Record,
}

/// The seasons that have a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InSeasons {
    /// Every season.
    All,
    /// Seasons in which any game has a value there.
    Some,
    /// No season: archives alone have it.
    None,
    /// Every season of one market.
    OfMarket(ModelType),
}

/// The rows that show a column, in a season that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InRows {
    /// Each row has a value.
    Filled,
    /// Each row has a value or a null.
    OrNull,
    /// A JSON row without a value leaves the column out.
    OrLeftOut,
}

/// A game with its verdict, the source of a served row.
#[derive(Debug, Clone, Copy)]
pub struct GradedGame<'a> {
    pub(super) game: &'a ArchivedGame,
    pub(super) season: &'a str,
    pub(super) market: MarketGame<'static>,
    pub(super) verdict: Verdict,
}

impl<'a> GradedGame<'a> {
    /// Combines a game of an archive with its verdict; `season` is the archive's season label.
    pub fn new(archive: &SeasonArchive, season: &'a str, game: &'a ArchivedGame, verdict: Verdict) -> Self {
        let market = game.market_game(archive.market().model_type);
        Self { game, season, market, verdict }
    }
}
