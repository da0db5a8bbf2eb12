//! Characters that people do not see, and texts without them.

use std::borrow::Cow;
use std::fmt;

/// Returns `true` for a character that shows nothing by itself or changes how its neighbours are shown: a control
/// character, a separator of lines or paragraphs, a mark of an interlinear note, and each character of Unicode's property
/// `Default_Ignorable_Code_Point`.
///
/// The property has the marks, overrides and isolates of direction, characters without width, fillers, variation
/// selectors and tags. Names that look alike can differ in them, and text with them can be shown in another order than
/// programs read it. Some scripts join letters by them, and can be read without.
pub const fn is_hidden(symbol: char) -> bool {
    matches!(
        symbol,
        '\0'..='\u{1f}' | '\u{7f}'..='\u{9f}' | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
    )
}

/// A hidden character and its place in a text. The display is a noun phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("U+{:04X} at character {position}, which is invisible or changes how text is shown", u32::from(*symbol))]
pub struct HiddenCharacter {
    /// The character.
    pub symbol: char,
    /// The number of the character, from 1.
    pub position: usize,
}

/// Checks that no character of a text is [hidden](is_hidden).
///
/// # Errors
///
/// The first [`HiddenCharacter`].
pub fn check_visible(text: &str) -> Result<(), HiddenCharacter> {
    check(text, is_hidden)
}

/// Checks a text of several lines, in which tabs and line breaks are no hidden characters.
///
/// # Errors
///
/// The first [`HiddenCharacter`].
pub fn check_visible_lines(text: &str) -> Result<(), HiddenCharacter> {
    check(text, |symbol| is_hidden(symbol) && !matches!(symbol, '\t' | '\n' | '\r'))
}

fn check(text: &str, is_refused: impl Fn(char) -> bool) -> Result<(), HiddenCharacter> {
    match (1..).zip(text.chars()).find(|(_, symbol)| is_refused(*symbol)) {
        Some((position, symbol)) => Err(HiddenCharacter { symbol, position }),
        None => Ok(()),
    }
}

/// Removes blanks, tabs and line breaks from both ends of a text. Other hidden characters stay, to be refused.
pub fn trim_blanks(text: &str) -> &str {
    text.trim_matches(|symbol: char| {
        symbol.is_whitespace() && (!is_hidden(symbol) || matches!(symbol, '\t' | '\n' | '\r'))
    })
}

/// Returns a text for a terminal: hidden characters other than line feeds and tabs are escaped, as in `\u{202e}`.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |symbol| is_hidden(symbol) && !matches!(symbol, '\n' | '\t'))
}

/// Returns a text for one line of a message: all hidden characters are escaped.
pub fn printable_line(text: &str) -> Cow<'_, str> {
    escaped(text, is_hidden)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for symbol in text.chars() {
        if is_escaped(symbol) { shown.extend(symbol.escape_default()) } else { shown.push(symbol) }
    }
    Cow::Owned(shown)
}

/// A text for people in one line: 1 to `LONGEST` characters, none of them [hidden](is_hidden), without blanks at either
/// end.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label<const LONGEST: usize>(String);

/// The error for a text that is not a label. The display is the expected form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotALabel {
    /// The text is empty or too long.
    #[error("a text of 1 to {0} characters")]
    Length(usize),
    /// The text has a hidden character.
    #[error("a text without {0}")]
    Hidden(#[from] HiddenCharacter),
}

impl<const LONGEST: usize> Label<LONGEST> {
    /// The maximum length in characters, after trimming.
    pub const LONGEST: usize = LONGEST;

    /// Trims and checks a text.
    ///
    /// # Errors
    ///
    /// [`NotALabel`] if the trimmed text is empty, is too long, or has a hidden character.
    pub fn new(raw: &str) -> Result<Self, NotALabel> {
        let label = Self::recorded(trim_blanks(raw))?;
        check_visible(&label.0)?;
        Ok(label)
    }

    /// Creates a label from a store. It may be older than the check for hidden characters.
    ///
    /// # Errors
    ///
    /// [`NotALabel`] if the text is empty or too long.
    pub fn recorded(text: &str) -> Result<Self, NotALabel> {
        let fits = (1..=LONGEST).contains(&text.chars().count());
        if fits { Ok(Self(text.to_owned())) } else { Err(NotALabel::Length(LONGEST)) }
    }

    /// Returns the text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<const LONGEST: usize> fmt::Display for Label<LONGEST> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The characters that begin a formula in a spreadsheet.
const FORMULA: [char; 7] = ['=', '+', '-', '@', '\t', '\r', '\n'];

/// Returns `true` if a spreadsheet could read a text as a formula, or if it is an escaped formula.
fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(FORMULA)
}

/// Escapes a text for a cell of a CSV file: if a spreadsheet would read it as a formula, it gets a leading
/// apostrophe. Numbers such as `-110` in a column of prices are not texts and must not be escaped.
pub fn escaped_for_spreadsheets(text: &str) -> Cow<'_, str> {
    if is_formula(text) { Cow::Owned(format!("'{text}")) } else { Cow::Borrowed(text) }
}

/// Reverses [`escaped_for_spreadsheets`]. Returns any other text unchanged.
pub fn without_spreadsheet_escape(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// The ranges are those of Unicode's own tables.
        #[test]
        fn a_hidden_character_is_refused_with_its_place_and_escaped(
            symbol in r"[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Zl}\p{Zp}]",
            before in "[A-Za-z]{1,20}",
        ) {
            let text = format!("{before}{symbol}x");
            let symbol = symbol.chars().next().expect("a character");
            let hidden = HiddenCharacter { symbol, position: before.len() + 1 };
            prop_assert_eq!(Label::<64>::new(&text), Err(NotALabel::Hidden(hidden)));
            let expected = format!("{before}{}x", symbol.escape_default());
            prop_assert_eq!(printable_line(&text), expected);
            prop_assert_eq!(Label::<64>::recorded(&text).map(|label| label.to_string()), Ok(text));
        }

        #[test]
        fn letters_marks_digits_and_signs_of_every_script_are_accepted(
            text in r"[[\p{L}\p{M}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}]]{1,64}",
        ) {
            prop_assert_eq!(Label::<64>::new(&text).map(|label| label.to_string()), Ok(text.clone()));
            prop_assert_eq!(&*printable_line(&text), &text);
        }
    }

    #[test]
    fn each_range_of_hidden_characters_has_its_edges() {
        for hidden in
            "\0\u{1b}\u{9b}\u{ad}\u{61c}\u{180e}\u{200b}\u{200f}\u{2028}\u{202e}\u{2066}\u{2069}\u{feff}\u{e007f}"
                .chars()
        {
            assert!(is_hidden(hidden), "{hidden:?}");
        }
        for visible in " ~\u{a0}\u{ac}\u{ae}\u{200a}\u{2010}\u{2027}\u{202f}\u{205f}\u{2070}\u{3163}\u{fffc}".chars() {
            assert!(!is_hidden(visible), "{visible:?}");
        }
    }

    #[test]
    fn a_label_is_trimmed_keeps_its_inner_blanks_and_counts_characters() {
        for (raw, label) in [
            ("  nightly  notebook ", "nightly  notebook"),
            ("Zoë & Söhne\r\n", "Zoë & Söhne"),
            ("Hawaiʻi O'Brien", "Hawaiʻi O'Brien"),
        ] {
            assert_eq!(Label::<64>::new(raw).expect(raw).as_str(), label);
        }
        assert!(Label::<3>::new(" ééé ").is_ok());
        for raw in ["", " \t\n ", "éééé"] {
            assert_eq!(Label::<3>::new(raw), Err(NotALabel::Length(3)), "{raw:?}");
        }
        assert_eq!(NotALabel::Length(3).to_string(), "a text of 1 to 3 characters");
        let refused = Label::<9>::new("Ann\u{2028}").expect_err("a separator at the end");
        let expected = "a text without U+2028 at character 4, which is invisible or changes how text is shown";
        assert_eq!(refused.to_string(), expected);
    }

    #[test]
    fn lines_for_a_terminal_stay_lines() {
        assert_eq!(printable("a team\tand another\nå"), "a team\tand another\nå");
        assert_eq!(printable("\u{1b}[2Jnyk\r\u{9b}\u{202e}"), "\\u{1b}[2Jnyk\\r\\u{9b}\\u{202e}");
        assert_eq!(printable_line("a\nb"), "a\\nb");
    }

    #[test]
    fn a_formula_is_escaped_and_restored() {
        let table = [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-2+3", "'-2+3"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("'=1", "''=1"),
            ("", ""),
            ("O'Neal", "O'Neal"),
            ("'tis", "'tis"),
            ("a=b", "a=b"),
        ];
        for (text, cell) in table {
            assert_eq!(escaped_for_spreadsheets(text), cell, "{text:?}");
            assert_eq!(without_spreadsheet_escape(cell), text, "{cell:?}");
        }
    }
}
