use sports_domain::Side;

/// The choice of the side that a rule bets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum BetKind {
    /// The side on which the model is above the no-vig probability.
    #[default]
    Value,
    /// The other side than [`Self::Value`].
    FadeValue,
    /// The side to which the model gives more than one half.
    Pick,
    /// The other side than [`Self::Pick`].
    Fade,
    /// The side that the line moved to.
    Line,
    /// The other side than [`Self::Line`].
    FadeLine,
}

/// The sides that the signals of a game point to; `None` for a signal that points to neither.
#[derive(Debug, Clone, Copy, Default)]
pub struct Signals {
    pub line_move: Option<Side>,
    /// True if the line is known not to have moved.
    pub is_unmoved: bool,
    pub edge: Option<Side>,
    /// The side to which the model gives more than one half.
    pub pick: Option<Side>,
}

impl BetKind {
    /// Every choice, with the word of the parameter `bet`.
    pub const WORDS: [(&str, Self); 6] = [
        ("value", Self::Value),
        ("fade_value", Self::FadeValue),
        ("pick", Self::Pick),
        ("fade", Self::Fade),
        ("line", Self::Line),
        ("fade_line", Self::FadeLine),
    ];

    /// Returns the word of the parameter `bet`.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// Returns the side of a bet; `None` if the signal points to neither side.
    #[inline]
    pub(crate) fn side(self, signals: Signals) -> Option<Side> {
        match self {
            Self::Value => signals.edge,
            Self::FadeValue => signals.edge.map(Side::opposite),
            Self::Pick => signals.pick,
            Self::Fade => signals.pick.map(Side::opposite),
            Self::Line => signals.line_move,
            Self::FadeLine => signals.line_move.map(Side::opposite),
        }
    }
}

/// The move of the line since its opener, relative to a bet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LineMove {
    /// To the side of the bet.
    With,
    /// To the other side.
    Against,
    /// The opener is known, and the line is the same.
    None,
}

impl LineMove {
    /// Every move, with the word of the parameter `line_move`.
    pub const WORDS: [(&str, Self); 3] = [("with", Self::With), ("against", Self::Against), ("none", Self::None)];

    /// Returns the word of the parameter `line_move`.
    pub const fn word(self) -> &'static str {
        Self::WORDS[self as usize].0
    }

    /// Returns true if the line of a game made this move relative to a bet on `side`.
    #[inline]
    pub(crate) fn is_of(self, side: Side, signals: Signals) -> bool {
        match self {
            Self::With => signals.line_move == Some(side),
            Self::Against => signals.line_move == Some(side.opposite()),
            Self::None => signals.is_unmoved,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const POSITIVE: Option<Side> = Some(Side::Positive);
    const NEGATIVE: Option<Side> = Some(Side::Negative);

    #[test]
    fn each_bet_has_a_word_and_follows_or_fades_its_own_signal() {
        let signals = Signals { line_move: POSITIVE, is_unmoved: false, edge: NEGATIVE, pick: POSITIVE };
        let bets = BetKind::WORDS.map(|(_, bet)| (bet.word(), bet.side(signals), bet.side(Signals::default())));
        let expected = [
            ("value", NEGATIVE, None),
            ("fade_value", POSITIVE, None),
            ("pick", POSITIVE, None),
            ("fade", NEGATIVE, None),
            ("line", POSITIVE, None),
            ("fade_line", NEGATIVE, None),
        ];
        assert_eq!(bets, expected);
    }

    #[test]
    fn a_line_moves_with_the_bet_against_it_or_not_at_all() {
        let holds = |line_move, is_unmoved| {
            let signals = Signals { line_move, is_unmoved, ..Signals::default() };
            LineMove::WORDS.map(|(_, line_move)| line_move.is_of(Side::Positive, signals))
        };
        assert_eq!(LineMove::WORDS.map(|(_, line_move)| line_move.word()), ["with", "against", "none"]);
        assert_eq!(holds(POSITIVE, false), [true, false, false]);
        assert_eq!(holds(NEGATIVE, false), [false, true, false]);
        assert_eq!(holds(None, true), [false, false, true]);
        assert_eq!(holds(None, false), [false; 3]);
    }
}
