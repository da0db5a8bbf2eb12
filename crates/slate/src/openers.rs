use sports_domain::GameLines;

/// Removes an opening spread of exactly zero, which is a feed's placeholder, from the lines that are recorded and
/// served beside predictions. Prices and totals of zero are never valid values.
pub fn without_placeholder_openers(mut lines: GameLines) -> GameLines {
    lines.open_spread = lines.open_spread.filter(|spread| spread.home().abs() > 0.0);
    lines
}

#[cfg(test)]
mod tests {
    use sports_domain::HomeSpread;

    use super::*;

    #[test]
    fn an_opening_pick_em_is_suppressed_and_a_current_one_stays() {
        let zero = HomeSpread::new(0.0).ok();
        let served = without_placeholder_openers(GameLines { spread: zero, open_spread: zero, ..GameLines::default() });
        assert_eq!((served.spread, served.open_spread), (zero, None));
        let half = HomeSpread::new(-0.5).ok();
        let opened = GameLines { open_spread: half, ..GameLines::default() };
        assert_eq!(without_placeholder_openers(opened).open_spread, half);
    }
}
