use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use crate::{FormError, ModelType};

/// The markets in which a final decides nothing, such as the total of a shortened game.
///
/// The record has them behind the word of the status: `settled void over_under won_on_spread`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct VoidMarkets(BTreeSet<ModelType>);

impl VoidMarkets {
    /// The word between a status and the markets.
    const MARK: &str = " void ";

    /// The word of a publisher for a final that decides all markets.
    const NONE: &str = "none";

    /// Splits the status of a final on record into its word and the markets.
    pub fn split(status: &str) -> (&str, Self) {
        let split = status.rsplit_once(Self::MARK).and_then(|(word, codes)| {
            let markets = codes.split(' ').map(str::parse).collect::<Result<_, _>>().ok()?;
            Some((word, Self(markets)))
        });
        split.unwrap_or_else(|| (status, Self::default()))
    }

    /// Returns the status of the record for a final with this word.
    pub fn status(&self, word: &str) -> String {
        if self.0.is_empty() { word.to_owned() } else { format!("{word}{}{self}", Self::MARK) }
    }

    /// Returns true if the final decides nothing in this market.
    pub fn contains(&self, model_type: ModelType) -> bool {
        self.0.contains(&model_type)
    }
}

impl FromStr for VoidMarkets {
    type Err = FormError;

    /// Parses a publisher's list of codes, or of the trade's words for markets, with blanks or punctuation between them; `none` is an
    /// empty list.
    fn from_str(list: &str) -> Result<Self, FormError> {
        if list.trim().eq_ignore_ascii_case(Self::NONE) {
            return Ok(Self::default());
        }
        let words = list.split(|symbol: char| !symbol.is_ascii_alphanumeric() && symbol != '_');
        words.filter(|word| !word.is_empty()).map(market).collect::<Result<_, _>>().map(Self)
    }
}

/// Returns the market of a code or of a word of the trade.
fn market(word: &str) -> Result<ModelType, FormError> {
    match word.to_ascii_lowercase().as_str() {
        "total" | "totals" => Ok(ModelType::OverUnder),
        "moneyline" => Ok(ModelType::WonOnPoints),
        "spread" | "run_line" | "runline" => Ok(ModelType::WonOnSpread),
        code => code.parse(),
    }
}

impl fmt::Display for VoidMarkets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<_> = self.0.iter().map(|model_type| model_type.code()).collect();
        f.write_str(&codes.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn void(list: &str) -> VoidMarkets {
        list.parse().expect(list)
    }

    #[test]
    fn a_list_of_markets_is_read_with_any_separators_and_words() {
        let both = VoidMarkets(BTreeSet::from([ModelType::OverUnder, ModelType::WonOnSpread]));
        for list in ["over_under won_on_spread", "Total; run_line", "SPREAD|totals", "won_on_spread,over_under,total"] {
            assert_eq!(void(list), both, "{list}");
        }
        assert_eq!((void("none"), void("Moneyline").contains(ModelType::WonOnPoints)), (VoidMarkets::default(), true));
        assert!("over_under first_half".parse::<VoidMarkets>().is_err());
    }

    #[test]
    fn a_status_of_the_record_is_split_as_it_was_joined() {
        for word in ["settled", "provisional", "void", "an own word", "void void"] {
            for list in ["none", "total", "spread total", "moneyline spread total"] {
                let status = void(list).status(word);
                assert_eq!(VoidMarkets::split(&status), (word, void(list)), "{status}");
                assert!(status.len() <= 64 && status.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b' ' | b'_')));
            }
        }
        assert_eq!(void("spread totals").status("settled"), "settled void over_under won_on_spread");
        assert_eq!(VoidMarkets::split("rain void of light"), ("rain void of light", VoidMarkets::default()));
    }
}
