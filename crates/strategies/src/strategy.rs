use std::fmt;

use sports_domain::{FormError, ModelType, Side};

use crate::bet_kind::Signals;
use crate::{BetKind, LineMove, Parameter, StrategyGame};

/// The reaction of a strategy to a signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Stance {
    /// Bets on the side of the signal.
    Follow,
    /// Bets on the other side.
    Fade,
}

impl Stance {
    const BOTH: [Self; 2] = [Self::Follow, Self::Fade];

    const fn word(self) -> &'static str {
        match self {
            Self::Follow => "follow",
            Self::Fade => "fade",
        }
    }

    const fn title(self) -> &'static str {
        match self {
            Self::Follow => "Follow",
            Self::Fade => "Fade",
        }
    }
}

/// The signals of a strategy with its stance on each. A hybrid bets only if both agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Signal {
    /// The move of the line from opener to close.
    Line(Stance),
    /// The model's edge: BLEND minus IMPLIED.
    Edge(Stance),
    /// Both signals.
    Hybrid {
        /// The stance on the line move.
        line: Stance,
        /// The stance on the model's edge.
        edge: Stance,
    },
}

impl Signal {
    /// Returns the word served as `signal`: `Line`, `Δ Edge` or `Hybrid`.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Line(_) => "Line",
            Self::Edge(_) => "Δ Edge",
            Self::Hybrid { .. } => "Hybrid",
        }
    }
}

/// One of the sixteen strategies: a signal with its stance, and the only side on which it bets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Strategy {
    signal: Signal,
    side: Side,
}

/// Returns the ids of all strategies of a market, for an error.
fn known_ids(model_type: ModelType) -> String {
    Strategy::all().map(|strategy| strategy.id(model_type).to_string()).join(", ")
}

impl Strategy {
    /// Returns all sixteen strategies: for each side four pure strategies, then four hybrids.
    pub fn all() -> [Self; 16] {
        let [on_positive, on_negative] = [Side::Positive, Side::Negative].map(|side| {
            let [[ff, fa], [af, aa]] = Stance::BOTH.map(|line| Stance::BOTH.map(|edge| Signal::Hybrid { line, edge }));
            let [follow, fade] = Stance::BOTH.map(|stance| [Signal::Line(stance), Signal::Edge(stance)]);
            [follow[0], fade[0], follow[1], fade[1], ff, fa, af, aa].map(|signal| Self { signal, side })
        });
        std::array::from_fn(|place| if place < 8 { on_positive[place] } else { on_negative[place - 8] })
    }

    /// Creates the strategy that bets `side` on `signal`.
    pub const fn new(signal: Signal, side: Side) -> Self {
        Self { signal, side }
    }

    /// Returns the signal of the strategy.
    pub const fn signal(self) -> Signal {
        self.signal
    }

    /// Returns the only side on which the strategy bets.
    pub const fn side(self) -> Side {
        self.side
    }

    /// Returns the strategy's id in a market, such as `follow_line_home` or `fade_line_follow_edge_over`.
    pub const fn id(self, model_type: ModelType) -> StrategyId {
        StrategyId { strategy: self, model_type }
    }

    /// Returns the strategy with this id in a market, in any letter case.
    ///
    /// # Errors
    ///
    /// [`FormError`] if no strategy has the id.
    pub fn named(id: &str, model_type: ModelType) -> Result<Self, FormError> {
        let named = |strategy: &Self| strategy.id(model_type).to_string().eq_ignore_ascii_case(id);
        let unknown = || {
            let known = known_ids(model_type);
            FormError::new(format!("`{id}` is not a strategy of this market; known strategies: {known}"))
        };
        Self::all().into_iter().find(named).ok_or_else(unknown)
    }

    /// Returns the display name, such as `Follow Line, Home` or `Fade Line + Follow Edge, Over`.
    pub fn name(self, model_type: ModelType) -> String {
        let side = model_type.side_title(self.side);
        match self.signal {
            Signal::Line(stance) => format!("{} Line, {side}", stance.title()),
            Signal::Edge(stance) => format!("{} Edge, {side}", stance.title()),
            Signal::Hybrid { line, edge } => format!("{} Line + {} Edge, {side}", line.title(), edge.title()),
        }
    }

    /// Returns true if the strategy bets on a game, finished or not.
    #[inline]
    pub fn bets_on(self, game: &StrategyGame<'_>) -> bool {
        self.bets(game.line_move(), game.edge())
    }

    #[inline]
    fn bets(self, line_move: Option<Side>, edge: Option<Side>) -> bool {
        let (bet, moved) = self.as_bet();
        let signals = Signals { line_move, edge, ..Signals::default() };
        bet.side(signals) == Some(self.side) && moved.is_none_or(|moved| moved.is_of(self.side, signals))
    }

    /// Returns the parameters of the strategy as a [`Rule`](crate::Rule).
    pub fn parameters(self, model_type: ModelType) -> Vec<Parameter> {
        let (bet, line_move) = self.as_bet();
        let line_move = line_move.map(|line_move| ("line_move", line_move.word()));
        let pairs = [("bet", bet.word()), ("side", model_type.side_word(self.side))].into_iter().chain(line_move);
        pairs.map(|(name, value)| Parameter { name, value: value.to_owned() }).collect()
    }

    /// Returns the bet of the strategy as a [`Rule`](crate::Rule) has it, and the line move that it needs.
    pub(crate) fn as_bet(self) -> (BetKind, Option<LineMove>) {
        let by_edge = |edge| if matches!(edge, Stance::Follow) { BetKind::Value } else { BetKind::FadeValue };
        match self.signal {
            Signal::Line(Stance::Follow) => (BetKind::Line, None),
            Signal::Line(Stance::Fade) => (BetKind::FadeLine, None),
            Signal::Edge(edge) => (by_edge(edge), None),
            Signal::Hybrid { line: Stance::Follow, edge } => (by_edge(edge), Some(LineMove::With)),
            Signal::Hybrid { line: Stance::Fade, edge } => (by_edge(edge), Some(LineMove::Against)),
        }
    }
}

/// A lookup table of the strategies that bet each side of a game, by the game's signals. It replaces a test of every strategy
/// for every game.
pub struct StrategiesBySignals([[[Vec<usize>; 2]; SIGNALS]; SIGNALS]);

/// The number of values of a signal: two sides or none.
const SIGNALS: usize = 3;

impl StrategiesBySignals {
    pub fn new() -> Self {
        let signals = [Some(Side::Positive), Some(Side::Negative), None];
        let strategies = |line_move, edge, side| {
            let strategies = Strategy::all().into_iter().enumerate();
            strategies
                .filter(|(_, strategy)| strategy.side == side && strategy.bets(line_move, edge))
                .map(|(place, _)| place)
                .collect()
        };
        let by_side = |line_move, edge| [Side::Positive, Side::Negative].map(|side| strategies(line_move, edge, side));
        Self(signals.map(|line_move| signals.map(|edge| by_side(line_move, edge))))
    }

    /// Returns the indices in [`Strategy::all`] of the strategies that bet on a game: on the positive side, and on the negative
    /// side.
    #[inline]
    pub fn betting_on(&self, game: &StrategyGame<'_>) -> &[Vec<usize>; 2] {
        let place = |signal: Option<Side>| signal.map_or(SIGNALS - 1, |side| side as usize);
        &self.0[place(game.line_move())][place(game.edge())]
    }
}

/// A strategy's id in one market, with its text as `Display`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct StrategyId {
    strategy: Strategy,
    model_type: ModelType,
}

impl fmt::Display for StrategyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.strategy.signal {
            Signal::Line(stance) => write!(f, "{}_line", stance.word())?,
            Signal::Edge(stance) => write!(f, "{}_edge", stance.word())?,
            Signal::Hybrid { line, edge } => write!(f, "{}_line_{}_edge", line.word(), edge.word())?,
        }
        write!(f, "_{}", self.model_type.side_word(self.strategy.side))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_sixteen_strategies_eight_pure_and_eight_hybrid() {
        let ids = Strategy::all().map(|strategy| strategy.id(ModelType::OverUnder).to_string());
        let expected = [
            "follow_line_over",
            "fade_line_over",
            "follow_edge_over",
            "fade_edge_over",
            "follow_line_follow_edge_over",
            "follow_line_fade_edge_over",
            "fade_line_follow_edge_over",
            "fade_line_fade_edge_over",
            "follow_line_under",
            "fade_line_under",
            "follow_edge_under",
            "fade_edge_under",
            "follow_line_follow_edge_under",
            "follow_line_fade_edge_under",
            "fade_line_follow_edge_under",
            "fade_line_fade_edge_under",
        ];
        assert_eq!(ids.each_ref().map(String::as_str), expected);
        let words = Strategy::all().map(|strategy| strategy.signal().word());
        assert_eq!(words.iter().filter(|word| **word == "Hybrid").count(), 8);
        assert_eq!(words.iter().filter(|word| **word == "Δ Edge").count(), 4);
    }

    #[test]
    fn an_id_reads_back_in_any_case_and_an_unknown_one_names_the_known() {
        for model_type in ModelType::ALL {
            for strategy in Strategy::all() {
                let id = strategy.id(model_type).to_string();
                assert_eq!(Strategy::named(&id.to_uppercase(), model_type), Ok(strategy));
            }
        }
        let unknown = Strategy::named("follow_line_over", ModelType::WonOnSpread).expect_err("a total's strategy");
        let message = unknown.to_string();
        assert!(
            message.starts_with(
                "`follow_line_over` is not a strategy of this market; known strategies: follow_line_home, "
            )
        );
    }

    #[test]
    fn names_describe_the_strategy() {
        let name = |id| Strategy::named(id, ModelType::OverUnder).expect(id).name(ModelType::OverUnder);
        assert_eq!(name("follow_line_over"), "Follow Line, Over");
        assert_eq!(name("fade_edge_under"), "Fade Edge, Under");
        assert_eq!(name("fade_line_follow_edge_over"), "Fade Line + Follow Edge, Over");
    }
}
