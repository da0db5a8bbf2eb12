use std::collections::{BTreeMap, BTreeSet, HashMap};

use chrono::{DateTime, TimeDelta, Utc};
use sports_domain::{GameKey, GameLines, ModelName, ModelType, Probability, Season, Sport, VoidMarkets};

use super::concurrent_games::{TWIN, concurrent};
use super::forecast_row::compare;
use super::judged_game::{DatedLeaves, JudgedGame, LateStatement, Standing};
use super::leaf_history::{StatedGame, StatedLeaves, start_of};
use super::lost_tree::LostTree;
use super::model_record::{DecidedPicks, ModelRecord, Settled, decided_picks, model_records};
use super::opened_forecast::OpenedForecast;
use super::releases::{LocatedOpening, ResultRow};
use super::row_statements::{lines_of, score_in};
use super::schedule::{Compared, Schedule};
use super::{Evidence, Finding, FindingKind};
use crate::{RecordedEnding, TreeHash};

/// The answers of the service about one season.
#[derive(Debug, Clone, Default)]
pub struct SeasonFiles {
    /// The rows of results, in all markets; also those of other seasons of games that a leaf states to be of this one.
    pub rows: Vec<ResultRow>,
    /// The openings, in all markets.
    pub openings: Vec<LocatedOpening>,
    /// The listed releases whose forecasts have leaves, by generation.
    pub recorded: BTreeMap<u64, String>,
    /// The odds of entries that made forecasts, by generation and game.
    pub odds: BTreeMap<u64, HashMap<GameKey, GameLines>>,
}

/// The season to audit, and what the auditor knows beside the tree.
#[derive(Debug, Clone)]
pub struct AuditTerms {
    pub sport: Sport,
    pub season: Season,
    /// The present time by the auditor's clock.
    pub now: DateTime<Utc>,
    /// The root of the tree, which seeds intervals.
    pub root: TreeHash,
    /// The one model whose values have to be committed to; `None` for all.
    pub model: Option<ModelName>,
    pub schedule: Option<Schedule>,
    /// True if the answers are those to a reader without a key, which leave out games that have not started.
    pub is_public: bool,
}

impl AuditTerms {
    /// Returns `true` if answers may leave out a game. The clock of a service may be behind the auditor's.
    fn may_lack(&self, game: &GameKey) -> bool {
        self.is_public && game.shown_from() > self.now - CLOCKS
    }
}

/// The most by which the clocks of an auditor and of a service differ.
const CLOCKS: TimeDelta = TimeDelta::hours(1);

/// The result of an audit of a season.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Audit {
    /// The number of live rows.
    pub games: u64,
    /// The number of rows whose forecast was evident before the start in force.
    pub proven: u64,
    /// The number of games with forecasts that answers left out, since they have not started.
    pub not_started: u64,
    /// The number of values of models that were declared after the forecast was recorded.
    pub not_committed: u64,
    /// The live rows of its games that are in the results of another season.
    pub elsewhere: Vec<(ModelType, GameKey, Season)>,
    /// The number of games on its dates that the log has in another season, by season.
    pub other_seasons: BTreeMap<Season, u64>,
    /// The record of each model, by the forecasts and endings that count.
    pub records: Vec<ModelRecord>,
    /// The picks by the live rows, as the service has to count them.
    pub served: DecidedPicks,
    /// The losses of the tree whose intervals meet the season, by entry.
    pub losses: Vec<u64>,
    pub findings: Vec<Finding>,
}

/// The time after a start within which a game has an ending.
const UNSETTLED: TimeDelta = TimeDelta::days(3);

impl Audit {
    /// Returns the number of findings of a kind.
    pub fn count(&self, kind: FindingKind) -> usize {
        self.findings.iter().filter(|finding| finding.kind == kind).count()
    }

    /// Returns the exit code: the worst of its findings'; 3 if nothing is proven, or a loss of the tree meets the season.
    pub fn exit_code(&self) -> u8 {
        let has = |code| self.findings.iter().any(|finding| finding.code == code);
        match (has(1), has(3) || self.proven == 0 || !self.losses.is_empty()) {
            (true, _) => 1,
            (false, true) => 3,
            (false, false) => 0,
        }
    }

    fn find(&mut self, kind: FindingKind, model_type: Option<ModelType>, game: &GameKey, sentence: impl Into<String>) {
        self.find_with(kind, kind.code(), (model_type, game), sentence);
    }

    fn find_with(
        &mut self,
        kind: FindingKind,
        code: u8,
        (model_type, game): (Option<ModelType>, &GameKey),
        sentence: impl Into<String>,
    ) {
        self.findings.push(Finding { kind, code, model_type, game: game.clone(), sentence: sentence.into() });
    }
}

/// Returns `true` if results lack a live row of a forecast that a leaf states to be of a season: the row may be in another one.
pub fn lacks_rows(leaves: &StatedLeaves, terms: &AuditTerms, rows: &[ResultRow]) -> bool {
    let live: BTreeSet<_> =
        rows.iter().filter(|row| row.live_run.is_some()).map(|row| (row.model_type, &row.game)).collect();
    let mut games = leaves.games_of(terms.season).filter(|game| !terms.may_lack(&game.key));
    games.any(|game| game.standing().any(|(model_type, _)| !live.contains(&(model_type, &game.key))))
}

/// Audits a season: each live row against its leaf, each leaf against the rows, and each game by the statements that count.
pub fn audit_season(leaves: &StatedLeaves, evidence: &Evidence, files: &SeasonFiles, terms: &AuditTerms) -> Audit {
    let season = terms.season;
    let mut auditing = Auditing {
        dated: DatedLeaves { sport: terms.sport, leaves, evidence },
        files,
        terms,
        opened: BTreeMap::new(),
        rows: HashMap::new(),
        lost: LostTree::all(leaves, evidence),
        audit: Audit { other_seasons: leaves.games_beside(season), ..Audit::default() },
    };
    for (game, sentence) in leaves.impossible_moves() {
        auditing.audit.find(FindingKind::Differs, None, game, sentence.as_str());
    }
    auditing.open();
    auditing.note_rows();
    let dated = auditing.dated;
    let judged: Vec<_> = leaves.games_of(season).map(|game| (game, JudgedGame::of(dated, game))).collect();
    let meets = |lost: &&LostTree| {
        lost.meets(terms.sport, season) || judged.iter().any(|(_, judged)| lost.has(start_of(&judged.key)))
    };
    auditing.audit.losses = auditing.lost.iter().filter(meets).map(|lost| lost.generation).collect();
    for (game, judged) in &judged {
        auditing.game(game, judged);
    }
    auditing.unrecorded();
    auditing.concurrent(&judged);
    let counted: Vec<_> = judged.iter().flat_map(|(_, judged)| auditing.counted(judged)).collect();
    let served = auditing.served();
    let mut audit = auditing.audit;
    (audit.records, audit.served) = (model_records(&counted, terms.root), decided_picks(&served));
    audit
        .findings
        .sort_by(|one, other| (one.kind, &one.game, one.model_type).cmp(&(other.kind, &other.game, other.model_type)));
    audit
}

/// An audit that is under way.
struct Auditing<'a> {
    dated: DatedLeaves<'a>,
    files: &'a SeasonFiles,
    terms: &'a AuditTerms,
    /// The forecasts whose openings hold, by leaf.
    opened: BTreeMap<u64, OpenedForecast<'a>>,
    /// The live rows, by market and game.
    rows: HashMap<(ModelType, &'a GameKey), &'a ResultRow>,
    lost: Vec<LostTree>,
    audit: Audit,
}

impl<'a> Auditing<'a> {
    /// Opens the forecasts, and names those whose opening does not hold.
    fn open(&mut self) {
        for located in &self.files.openings {
            match OpenedForecast::of(self.dated.leaves, located) {
                Ok(opened) => _ = self.opened.insert(opened.index, opened),
                Err(sentence) => {
                    if let Some((market, game)) = self.dated.leaves.forecast(located.index) {
                        self.audit.find(FindingKind::Differs, Some(market), &game.key, sentence);
                    }
                }
            }
        }
    }

    fn note_rows(&mut self) {
        for row in self.files.rows.iter().filter(|row| row.live_run.is_some()) {
            if self.rows.insert((row.model_type, &row.game), row).is_some() {
                let sentence = "results have it more than once";
                self.audit.find(FindingKind::Differs, Some(row.model_type), &row.game, sentence);
                continue;
            }
            self.audit.games += 1;
            if row.season != self.terms.season {
                self.audit.elsewhere.push((row.model_type, row.game.clone(), row.season));
            }
        }
    }

    /// Returns the live row of a game.
    fn row(&self, market: ModelType, game: &StatedGame) -> Option<&'a ResultRow> {
        self.rows.get(&(market, &game.key)).copied().filter(|_| game.has_key)
    }

    /// Notes everything about one game.
    fn game(&mut self, game: &StatedGame, judged: &JudgedGame<'_>) {
        if judged.markets().next().is_none() {
            // Of a game that was imported, no leaf need state anything.
            return;
        }
        self.late(game, judged);
        let has_forecast =
            judged.markets().any(|market| matches!(judged.standing(market), Some(Standing::Forecast(_))));
        if has_forecast {
            self.ending(game, judged);
            if judged.is_moved() {
                self.audit.find(FindingKind::Moved, None, &game.key, "it got another start in time");
            }
        }
        let may_lack = self.terms.may_lack(&game.key);
        let is_shown = judged.markets().any(|market| self.row(market, game).is_some());
        self.audit.not_started += u64::from(may_lack && !is_shown);
        for (leaf, market) in self.dated.leaves.forecasts_to_open(game).into_iter().filter(|_| !may_lack) {
            self.check_opened(leaf, market, &game.key);
        }
        self.scheduled(game, judged);
        for market in judged.markets() {
            match (judged.standing(market), self.row(market, game)) {
                (Some(Standing::Withdrawn(leaf)), None) => {
                    let sentence = format!("leaf {leaf} withdrew the forecast");
                    self.audit.find(FindingKind::Withdrawn, Some(market), &game.key, sentence);
                }
                (Some(Standing::Withdrawn(leaf)), Some(_)) => {
                    let sentence = format!("leaf {leaf} withdrew the forecast, and results have a live row of it");
                    self.audit.find(FindingKind::Differs, Some(market), &game.key, sentence);
                }
                (Some(Standing::Forecast(leaf)), None) => {
                    if !may_lack && !judged.late.iter().any(|late| late.market == Some(market)) {
                        let sentence = format!("leaf {leaf} is a forecast, and results have no live row of it");
                        self.audit.find(FindingKind::Missing, Some(market), &game.key, sentence);
                    }
                }
                (Some(Standing::Forecast(leaf)), Some(row)) => self.forecast(judged, (market, leaf), row),
                (None, _) => {}
            }
        }
    }

    /// Names a leaf that is not opened, unless its opening does not hold.
    fn check_opened(&mut self, leaf: u64, market: ModelType, game: &GameKey) {
        let is_of = |found: &&Finding| found.game == *game && found.model_type.is_none_or(|of| of == market);
        let is_named = |found: &Finding| matches!(found.kind, FindingKind::Differs | FindingKind::Unopened);
        if !self.opened.contains_key(&leaf) && !self.audit.findings.iter().filter(is_of).any(is_named) {
            let sentence = format!("leaf {leaf} commits to a forecast that is not opened");
            self.audit.find(FindingKind::Unopened, Some(market), game, sentence);
        }
    }

    /// Names the statements about a game that came too late.
    fn late(&mut self, game: &StatedGame, judged: &JudgedGame<'_>) {
        for late in &judged.late {
            let (code, by) = match (late.kind, self.confirmed(game, judged, late)) {
                (_, Some(true)) => (0, "; the schedule confirms it"),
                (_, Some(false)) => (1, "; the schedule contradicts it"),
                (FindingKind::LateWithdrawal, _) if late.is_proven => (1, ""),
                _ => (3, ""),
            };
            let says = match late.kind {
                FindingKind::LateWithdrawal => "withdrew the forecast",
                FindingKind::LateMove => "gave it another start",
                _ => "changed whether it counts",
            };
            let when = if late.is_proven { "after the start" } else { "and nobody had it before the start" };
            let sentence = format!("leaf {} {says} {when} in force, {}{by}", late.leaf, judged.key);
            self.audit.find_with(late.kind, code, (late.market, &game.key), sentence);
        }
    }

    /// Returns whether the schedule confirms a late statement; `None` without a word about it.
    fn confirmed(&self, game: &StatedGame, judged: &JudgedGame<'_>, late: &LateStatement) -> Option<bool> {
        let schedule = self.terms.schedule.as_ref()?;
        schedule.confirms(self.sport(), judged, late, (&game.key, game.ending.as_ref()))
    }

    fn is_confirmed(&self, kind: FindingKind, game: &StatedGame, judged: &JudgedGame<'_>) -> bool {
        let mut late = judged.late.iter().filter(|late| late.kind == kind);
        late.any(|late| self.confirmed(game, judged, late) == Some(true))
    }

    /// Returns the key with the start at which a game was played: the one in force, unless the schedule confirms a later one.
    fn played_as<'k>(&self, game: &'k StatedGame, judged: &'k JudgedGame<'_>) -> &'k GameKey {
        if self.is_confirmed(FindingKind::LateMove, game, judged) { &game.key } else { &judged.key }
    }

    /// Compares a game with the schedule: what counts of it, and its start, and its ending if it has a forecast.
    fn scheduled(&mut self, game: &StatedGame, judged: &JudgedGame<'_>) {
        let Some(schedule) = &self.terms.schedule else { return };
        if self.is_confirmed(FindingKind::LateCallOff, game, judged) {
            return;
        }
        let mut standing: Vec<_> = judged.markets().filter_map(|market| judged.standing(market)).collect();
        standing.sort_by_key(|standing| standing.leaf());
        let Some(last) = standing.last() else { return };
        let has_forecast = standing.iter().any(|standing| matches!(standing, Standing::Forecast(_)));
        let key = self.played_as(game, judged);
        let ending = judged.ending.as_ref().filter(|_| has_forecast);
        match schedule.compare(self.sport(), self.dated, (key, ending), (last.leaf(), has_forecast)) {
            Some(Compared::Contradicts(sentence)) => {
                self.audit.find(FindingKind::Schedule, None, &game.key, sentence);
            }
            Some(Compared::OtherStart(sentence)) => {
                self.audit.find_with(FindingKind::Schedule, 0, (None, &game.key), sentence);
            }
            None => {}
        }
    }

    /// Judges the ending of a game with a forecast, and compares it with results.
    fn ending(&mut self, game: &StatedGame, judged: &JudgedGame<'_>) {
        let key = &game.key;
        match &judged.ending {
            Some(RecordedEnding::Final { status, .. }) => {
                let (word, void) = VoidMarkets::split(status.as_str());
                let is_other = word != RecordedEnding::SETTLED;
                for market in judged.markets().filter(|market| is_other || void.contains(*market)) {
                    let sentence = format!("its final has the status `{status}`");
                    self.audit.find(FindingKind::OtherStatus, Some(market), key, sentence);
                }
            }
            Some(RecordedEnding::CalledOff { status }) => {
                self.audit.find(FindingKind::CalledOff, None, key, format!("it was called off in time, as `{status}`"));
            }
            _ if judged.late.iter().any(|late| late.kind == FindingKind::LateCallOff) => {}
            _ => {
                let start = start_of(self.played_as(game, judged));
                if start + UNSETTLED.num_seconds() < self.terms.now.timestamp() {
                    self.audit.find(
                        FindingKind::Unsettled,
                        None,
                        key,
                        "it began three days ago or more, and has no final",
                    );
                }
            }
        }
        if let Some(leaf) = judged.corrected {
            self.audit.find(FindingKind::Corrected, None, key, format!("leaf {leaf} corrected its final"));
        }
        let stated = game.ending.as_ref().unwrap_or(&RecordedEnding::Gone);
        for market in judged.markets() {
            if let Some(row) = self.row(market, game).filter(|row| row.ending != *stated) {
                let sentence = format!("the ending is `{}` in results and `{stated}` in the log", row.ending);
                self.audit.find(FindingKind::Differs, Some(market), key, sentence);
            }
        }
    }

    /// Compares a live row with its leaf, and judges the time of the forecast that counts.
    fn forecast(&mut self, judged: &JudgedGame<'_>, (market, leaf): (ModelType, u64), row: &ResultRow) {
        let run = row.live_run.as_deref().unwrap_or_default();
        let shown = self.shown(judged, row);
        let market = Some(market);
        let Some(opened) = shown.and_then(|shown| self.opened.get(&shown)) else {
            if !self.opened.contains_key(&leaf) {
                return self.check_opened(leaf, row.model_type, &row.game);
            }
            let sentence = format!("leaf {leaf} is its forecast, and no opening is of the release {run} of the row");
            return self.audit.find(FindingKind::Differs, market, &row.game, sentence);
        };
        let not_committed = match compare(self.dated.leaves, row, opened) {
            Ok(not_committed) => not_committed,
            Err(sentence) => return self.audit.find(FindingKind::Differs, market, &row.game, sentence),
        };
        if let Some(sentence) = self.other_release(opened) {
            return self.audit.find(FindingKind::Differs, market, &row.game, sentence);
        }
        if opened.index != leaf && !judged.is_late_in(row.model_type) {
            let sentence =
                format!("results have the forecast of leaf {}, and that of leaf {leaf} counts", opened.index);
            return self.audit.find(FindingKind::Differs, market, &row.game, sentence);
        }
        self.not_committed(row, &not_committed);
        self.date(judged, (row.model_type, leaf), row);
    }

    /// Returns the opened leaf whose release a row names.
    fn shown(&self, judged: &JudgedGame<'_>, row: &ResultRow) -> Option<u64> {
        let run = row.live_run.as_deref()?;
        let mut forecasts = judged.forecasts_of(row.model_type);
        forecasts.find(|leaf| self.opened.get(leaf).is_some_and(|opened| opened.is_of(run)))
    }

    /// Returns a sentence if the entry of a leaf is listed under another release than the one that its payload names.
    fn other_release(&self, opened: &OpenedForecast<'_>) -> Option<String> {
        let generation = self.dated.leaves.leaf(opened.index)?.generation;
        let listed = self.files.recorded.get(&generation).filter(|listed| !opened.is_of(listed))?;
        Some(format!("generation {generation} is {listed} in the list of releases, and another release in the payload"))
    }

    fn not_committed(&mut self, row: &ResultRow, models: &[ModelName]) {
        let asked = self.terms.model;
        let of_model: Vec<_> = models.iter().filter(|model| asked.is_none_or(|asked| asked == **model)).collect();
        self.audit.not_committed += of_model.len() as u64;
        if let [first, rest @ ..] = &of_model[..] {
            let names = rest.iter().fold(first.to_string(), |names, model| format!("{names}, {model}"));
            let sentence = format!("its forecast has no value of {names}, and no leaf before it states a version");
            self.audit.find(FindingKind::NotCommitted, Some(row.model_type), &row.game, sentence);
        }
    }

    /// Judges the time of the forecast that counts. One that was published again with equal numbers is as evident as the first.
    fn date(&mut self, judged: &JudgedGame<'_>, (market, leaf): (ModelType, u64), row: &ResultRow) {
        let (dated, text) = (self.dated, self.opened.get(&leaf).map(|opened| opened.text));
        let is_equal = |before: &u64| self.opened.get(before).map(|opened| opened.text) == text;
        let equal = judged.forecasts_up_to(market, leaf).take_while(is_equal).last();
        let first = equal.filter(|_| text.is_some()).unwrap_or(leaf);
        let Some(start) = judged.start() else {
            return self.audit.find(FindingKind::NotAttested, Some(market), &row.game, "the game has no time");
        };
        if self.lost.iter().any(|lost| first < lost.kept && lost.has(start)) {
            let sentence =
                format!("leaf {first} is of a tree that was lost, and its game began before it was replaced");
            return self.audit.find(FindingKind::NotAttested, Some(market), &row.game, sentence);
        }
        if dated.evidence.is_before(first, start) {
            if !row.is_recorded {
                let sentence = format!("results say that the log did not record it, and leaf {first} is of it");
                return self.audit.find(FindingKind::Differs, Some(market), &row.game, sentence);
            }
            self.audit.proven += 1;
            if judged.is_after_former_start(first) {
                let sentence = format!("leaf {first} is from after a start that the game had before");
                self.audit.find(FindingKind::AfterFormerStart, Some(market), &row.game, sentence);
            }
            return;
        }
        let sentence = match dated.evidence.time_of(first) {
            Some(_) => format!("no quorum had leaf {first} before the start"),
            None => format!("no quorum has leaf {first}"),
        };
        self.audit.find(FindingKind::NotAttested, Some(market), &row.game, sentence);
    }

    /// Names live rows without a leaf. Those of releases whose forecasts have leaves contradict them.
    fn unrecorded(&mut self) {
        let mut found = Vec::new();
        for row in self.rows.values() {
            let stated = self.dated.leaves.game(&row.game).and_then(|game| game.markets.get(&row.model_type));
            if stated.is_some() {
                continue;
            }
            let run = row.live_run.as_deref().unwrap_or_default();
            let has_leaves = self.files.recorded.values().any(|listed| listed == run)
                || self.opened.values().any(|opened| opened.is_of(run));
            found.push(if has_leaves {
                (FindingKind::Differs, *row, format!("its release {run} has leaves, and none of this game"))
            } else if row.is_recorded {
                let sentence = "results say that the log recorded its forecast, and no leaf is of it";
                (FindingKind::NotRecorded, *row, sentence.to_owned())
            } else {
                (FindingKind::NotRecorded, *row, "no entry of the log published its forecast".to_owned())
            });
        }
        for (kind, row, sentence) in found {
            self.audit.find(kind, Some(row.model_type), &row.game, sentence);
        }
    }

    /// Names games that can be one game under two names.
    fn concurrent(&mut self, judged: &[(&StatedGame, JudgedGame<'_>)]) {
        let counts = |judged: &JudgedGame<'_>| {
            let has_forecast = |market| matches!(judged.standing(market), Some(Standing::Forecast(_)));
            !judged.is_called_off() && judged.markets().any(has_forecast)
        };
        let mut games: Vec<_> = judged.iter().map(|(_, judged)| judged).filter(|judged| counts(judged)).collect();
        games.sort_by_key(|judged| judged.start());
        let sport = self.sport();
        for (place, one) in games.iter().enumerate() {
            let near = games[place + 1..]
                .iter()
                .take_while(|other| one.start().zip(other.start()).is_some_and(|(one, other)| other - one < TWIN));
            for other in near {
                if let Some(kind) = concurrent(sport, one, other) {
                    self.audit.find(kind, None, &other.key, format!("it is beside {}", one.key));
                }
            }
        }
    }

    /// Returns the settled forecasts of a game that count, with the ending that counts.
    fn counted(&self, judged: &JudgedGame<'_>) -> Vec<Settled> {
        let settled = |market| {
            let Standing::Forecast(leaf) = judged.standing(market)? else { return None };
            let (score, opened) = (score_in(judged.ending.as_ref()?, market)?, self.opened.get(&leaf)?);
            let stated = self.dated.leaves.leaf(leaf)?;
            let odds = self.files.odds.get(&stated.generation).and_then(|odds| odds.get(stated.fact.game()?)).copied();
            let (lines, probabilities) = (opened.lines(), opened.probabilities());
            Some(Settled { date: judged.key.date, market, lines, probabilities, odds, score })
        };
        judged.markets().filter_map(settled).collect()
    }

    /// Returns the settled forecasts of the results of the season, as far as these state that the log recorded them.
    fn served(&self) -> Vec<Settled> {
        let settled = |row: &&ResultRow| {
            let score = score_in(&row.ending, row.model_type)?;
            let lines = lines_of(|column| row.lines.get(&column).copied());
            let probabilities = row.probabilities.iter();
            let read = |(model, number): (&ModelName, &f64)| Some((*model, Probability::new(*number).ok()?));
            let (date, market, probabilities) =
                (row.game.date, row.model_type, probabilities.filter_map(read).collect());
            Some(Settled { date, market, lines, probabilities, odds: None, score })
        };
        let of_season = self.rows.values().filter(|row| row.season == self.terms.season && row.is_recorded);
        of_season.filter_map(settled).collect()
    }

    fn sport(&self) -> Sport {
        self.terms.sport
    }
}
