use sports_domain::{FinalScore, GameLines, HomeSpread, ModelType, Side, Total};

/// The posted line of one market of a game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum PostedLine {
    /// The total, to which both teams' points are compared.
    Total(Total),
    /// The points that the home team receives; zero is a line.
    Spread(HomeSpread),
    /// A moneyline, which has no number.
    Moneyline,
}

/// The settlement of a posted line by a final score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// One side won.
    Decided(Side),
    /// The final is exactly on the line: stakes are returned.
    Push,
}

impl PostedLine {
    /// Returns the posted line of the market of `model_type`, if any.
    #[inline]
    pub fn from_lines(model_type: ModelType, lines: &GameLines) -> Option<Self> {
        match model_type {
            ModelType::OverUnder => lines.total.map(Self::Total),
            ModelType::WonOnSpread => lines.spread.map(Self::Spread),
            ModelType::WonOnPoints => lines.money.any().then_some(Self::Moneyline),
        }
    }

    /// Returns the number from the view of one side: the total, or the points that this side's team receives. Returns
    /// `None` for a moneyline.
    pub fn seen_from(self, side: Side) -> Option<f64> {
        match (self, side) {
            (Self::Total(total), _) => Some(total.get()),
            (Self::Spread(spread), Side::Positive) => Some(spread.home()),
            (Self::Spread(spread), Side::Negative) => Some(spread.away()),
            (Self::Moneyline, _) => None,
        }
    }

    /// Settles the line.
    #[inline]
    pub fn settle(self, score: FinalScore) -> Outcome {
        let margin = f64::from(score.home_margin());
        let beyond_the_line = match self {
            Self::Total(total) => f64::from(score.combined()) - total.get(),
            Self::Spread(spread) => margin + spread.home(),
            Self::Moneyline => margin,
        };
        if beyond_the_line > 0.0 {
            Outcome::Decided(Side::Positive)
        } else if beyond_the_line < 0.0 {
            Outcome::Decided(Side::Negative)
        } else {
            Outcome::Push
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn score(away: u16, home: u16) -> FinalScore {
        FinalScore { away, home }
    }

    #[test]
    fn a_total_is_settled_by_the_points_of_both_teams() {
        let line = PostedLine::Total(Total::new(45.0).expect("a total"));
        assert_eq!(line.settle(score(20, 26)), Outcome::Decided(Side::Positive));
        assert_eq!(line.settle(score(20, 24)), Outcome::Decided(Side::Negative));
        assert_eq!(line.settle(score(20, 25)), Outcome::Push);
    }

    #[test]
    fn a_spread_is_settled_by_the_margin_and_the_points_given() {
        let spread = |points| PostedLine::Spread(HomeSpread::new(points).expect("a spread"));
        assert_eq!(spread(-3.0).settle(score(20, 24)), Outcome::Decided(Side::Positive));
        assert_eq!(spread(-3.0).settle(score(20, 23)), Outcome::Push);
        assert_eq!(spread(-3.0).settle(score(20, 22)), Outcome::Decided(Side::Negative));
        assert_eq!(spread(2.5).settle(score(20, 18)), Outcome::Decided(Side::Positive));
        assert_eq!(spread(0.0).settle(score(20, 20)), Outcome::Push);
        assert_eq!(spread(-0.0).settle(score(20, 20)), Outcome::Push);
    }

    #[test]
    fn a_spread_is_negated_for_the_other_side() {
        let spread = PostedLine::Spread(HomeSpread::new(-3.5).expect("a spread"));
        assert_eq!((spread.seen_from(Side::Positive), spread.seen_from(Side::Negative)), (Some(-3.5), Some(3.5)));
        let total = PostedLine::Total(Total::new(45.0).expect("a total"));
        assert_eq!((total.seen_from(Side::Positive), total.seen_from(Side::Negative)), (Some(45.0), Some(45.0)));
        assert_eq!(PostedLine::Moneyline.seen_from(Side::Positive), None);
    }

    #[test]
    fn a_tie_pushes_the_moneyline() {
        assert_eq!(PostedLine::Moneyline.settle(score(1, 1)), Outcome::Push);
        assert_eq!(PostedLine::Moneyline.settle(score(1, 2)), Outcome::Decided(Side::Positive));
        assert_eq!(PostedLine::Moneyline.settle(score(2, 1)), Outcome::Decided(Side::Negative));
    }
}
