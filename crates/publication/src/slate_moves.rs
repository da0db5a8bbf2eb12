use std::collections::{HashMap, HashSet};

use sports_domain::{Forecasts, GameLines, LineColumn, OwnForecasts};

use crate::slate::OddsGame;
use crate::{Extras, Odds, PredictedGame, Predictions};

/// The kind of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MoveKind {
    /// The slate before did not have the game.
    New,
    /// The game has another start, another publisher's id, other lines or other forecasts.
    Moved,
    /// The slate no longer has the game.
    Gone,
}

impl MoveKind {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::New, Self::Moved, Self::Gone];

    /// Returns the kind's word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Moved => "moved",
            Self::Gone => "gone",
        }
    }
}

/// The change of one game from a slate to a later one.
#[derive(Debug, Clone, PartialEq)]
pub struct SlateMove<G> {
    pub kind: MoveKind,
    /// The game in the later slate; a game that is gone is that of the earlier one, without values.
    pub game: G,
}

/// A slate whose moves are listed: the odds of a league, or the predictions of a market.
pub trait MovingSlate {
    type Game: Clone + Send + 'static;

    fn games(&self) -> &[Self::Game];

    /// Returns the identity of a game in its league, which every stored game has.
    fn id(game: &Self::Game) -> Option<&str>;

    /// Returns true if two games of one identity are served alike, but for the time of the last reading of the book.
    fn is_alike(&self, game: &Self::Game, other: &Self::Game) -> bool;

    /// Returns the game without lines and forecasts.
    fn without_values(game: &Self::Game) -> Self::Game;

    /// Returns the moves from an earlier slate to this one.
    fn moves_since(&self, earlier: Option<&Self>) -> Vec<SlateMove<Self::Game>> {
        Self::moves(earlier.map_or(&[][..], Self::games), self.games(), |game, other| self.is_alike(game, other))
    }

    /// Returns the moves from some games to others: the latter in their order, then the games that are gone.
    fn moves<'g>(
        before: impl IntoIterator<Item = &'g Self::Game>,
        after: impl IntoIterator<Item = &'g Self::Game>,
        is_alike: impl Fn(&Self::Game, &Self::Game) -> bool,
    ) -> Vec<SlateMove<Self::Game>> {
        let before: Vec<_> = before.into_iter().collect();
        let known: HashMap<_, _> = before.iter().map(|game| (Self::id(game), *game)).collect();
        let (mut moves, mut present) = (Vec::new(), HashSet::new());
        for game in after {
            present.insert(Self::id(game));
            let kind = match known.get(&Self::id(game)) {
                None => MoveKind::New,
                Some(known) if is_alike(known, game) => continue,
                Some(_) => MoveKind::Moved,
            };
            moves.push(SlateMove { kind, game: game.clone() });
        }
        let gone = before.into_iter().filter(|game| !present.contains(&Self::id(game)));
        moves.extend(gone.map(|game| SlateMove { kind: MoveKind::Gone, game: Self::without_values(game) }));
        moves
    }
}

impl MovingSlate for Odds {
    type Game = OddsGame;

    fn games(&self) -> &[OddsGame] {
        self.games()
    }

    fn id(game: &OddsGame) -> Option<&str> {
        game.game_id.as_deref()
    }

    fn is_alike(&self, game: &OddsGame, other: &OddsGame) -> bool {
        (&game.key, &game.match_id) == (&other.key, &other.match_id)
            && have_lines_alike(&LineColumn::ALL, &game.lines, &other.lines)
    }

    fn without_values(game: &OddsGame) -> OddsGame {
        OddsGame { lines: GameLines::default(), quote_source: None, last_updated: None, ..game.clone() }
    }
}

impl MovingSlate for Predictions {
    type Game = PredictedGame;

    fn games(&self) -> &[PredictedGame] {
        self.games()
    }

    fn id(game: &PredictedGame) -> Option<&str> {
        game.game.game_id.as_deref()
    }

    fn is_alike(&self, game: &PredictedGame, other: &PredictedGame) -> bool {
        let (game, other) = (&game.game, &other.game);
        (&game.key, &game.match_id) == (&other.key, &other.match_id)
            && (&game.forecasts, &game.own) == (&other.forecasts, &other.own)
            && have_lines_alike(LineColumn::of_market(self.model_type()), &game.lines, &other.lines)
    }

    fn without_values(game: &PredictedGame) -> PredictedGame {
        let mut game = PredictedGame { quote_source: None, extras: Extras::default(), ..game.clone() };
        game.game.lines = GameLines::default();
        (game.game.forecasts, game.game.own) = (Forecasts::default(), OwnForecasts::default());
        game
    }
}

fn have_lines_alike(columns: &[LineColumn], lines: &GameLines, other: &GameLines) -> bool {
    columns.iter().all(|column| lines.value(*column) == other.value(*column))
}
