use std::fmt;
use std::sync::Arc;

use crate::{HiddenCharacter, check_visible, printable_line};

/// A team's normalised name: lower-case letters and digits, words joined by single underscores.
///
/// Cloning is cheap, because a season repeats a few hundred names thousands of times.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamSlug(Arc<str>);

/// The error for a text that is not the name of a team.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotATeam {
    /// The name has no letter or digit.
    #[error("`{}` is not a team name: it has no letter or digit", printable_line(.0))]
    NoLetter(String),
    /// The name has a hidden character.
    #[error("`{}` is not a team name: it has {hidden}", printable_line(name))]
    Hidden {
        /// The name.
        name: String,
        /// The character.
        hidden: HiddenCharacter,
    },
}

impl TeamSlug {
    /// Normalises a display name or a slug: `Boston Red Sox` becomes `boston_red_sox`.
    ///
    /// Apostrophes, full stops and ampersands are removed (`St. John's` is `st_johns`, `Texas A&M` is `texas_am`), as
    /// are characters that are used as apostrophes, such as the ʻokina of `Hawaiʻi`. Common accented Latin letters lose
    /// their accent, whether they are one character or two; `ø` becomes `o`, `ł` becomes `l` and `ß` becomes `ss`. Every
    /// other run of characters becomes one underscore.
    ///
    /// # Errors
    ///
    /// [`NotATeam`] if nothing is left, or the name has a [hidden character](crate::is_hidden).
    pub fn normalise(name: &str) -> Result<Self, NotATeam> {
        if is_slug(name) {
            return Ok(Self(name.into()));
        }
        check_visible(name).map_err(|hidden| NotATeam::Hidden { name: name.to_owned(), hidden })?;
        let mut slug = String::with_capacity(name.len());
        for symbol in name.chars().flat_map(char::to_lowercase).filter(|symbol| !is_removed(*symbol)) {
            match plain_letter(symbol) {
                Some(letter) => slug.push(letter),
                None if symbol == 'ß' => slug.push_str("ss"),
                None if slug.is_empty() || slug.ends_with('_') => {}
                None => slug.push('_'),
            }
        }
        let slug = slug.trim_end_matches('_');
        if slug.is_empty() { Err(NotATeam::NoLetter(name.to_owned())) } else { Ok(Self(slug.into())) }
    }

    /// Returns the slug.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Returns `true` if a name is normalised, as nearly all names are: archives hold no others.
fn is_slug(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    name.split('_').all(|word| !word.is_empty() && word.bytes().all(is_plain))
}

/// Returns `true` for a character that is removed: apostrophes and similar characters, full stops, ampersands, and
/// combining accents.
const fn is_removed(symbol: char) -> bool {
    matches!(symbol, '\'' | '’' | '‘' | '`' | '\u{2bb}' | '\u{2bc}' | '.' | '&' | '\u{300}'..='\u{36f}')
}

fn plain_letter(symbol: char) -> Option<char> {
    match symbol {
        'a'..='z' | '0'..='9' => Some(symbol),
        'à'..='å' | 'ā' | 'ă' | 'ą' => Some('a'),
        'ç' | 'ć' | 'č' => Some('c'),
        'ď' | 'đ' => Some('d'),
        'è'..='ë' | 'ē' | 'ė' | 'ę' | 'ě' => Some('e'),
        'ğ' => Some('g'),
        'ì'..='ï' | 'ī' | 'į' | 'ı' => Some('i'),
        'ł' | 'ľ' => Some('l'),
        'ñ' | 'ń' | 'ň' => Some('n'),
        'ò'..='ö' | 'ø' | 'ō' | 'ő' => Some('o'),
        'ř' => Some('r'),
        'ś' | 'š' | 'ş' => Some('s'),
        'ţ' | 'ť' => Some('t'),
        'ù'..='ü' | 'ū' | 'ů' | 'ű' => Some('u'),
        'ý' | 'ÿ' => Some('y'),
        'ź' | 'ž' | 'ż' => Some('z'),
        _ => None,
    }
}

impl fmt::Display for TeamSlug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn display_names_become_slugs_and_slugs_stay() {
        let table = [
            ("Boston Red Sox", "boston_red_sox"),
            ("boston_red_sox", "boston_red_sox"),
            ("  San José State  ", "san_jose_state"),
            ("St. John's", "st_johns"),
            ("Texas A&M", "texas_am"),
            ("Miami (OH)", "miami_oh"),
            ("76ers", "76ers"),
            ("San Jose\u{301} State", "san_jose_state"),
            ("Jos\u{e9}", "jose"),
            ("Hawai\u{2bb}i", "hawaii"),
            ("Hawai\u{2bc}i", "hawaii"),
            ("Hawai`i", "hawaii"),
            ("Brøndby", "brondby"),
            ("Łódź", "lodz"),
            ("Ło\u{301}dz\u{301}", "lodz"),
            ("Hawaiʻi at Mānoa", "hawaii_at_manoa"),
            ("Preußen", "preussen"),
            ("PREUẞEN", "preussen"),
        ];
        for (name, slug) in table {
            assert_eq!(TeamSlug::normalise(name).expect(name).as_str(), slug);
        }
        for (name, problem) in [
            (" -- ", "it has no letter or digit"),
            ("", "it has no letter or digit"),
            ("Du\u{200b}ke", "it has U+200B at character 3"),
            ("Har\u{ad}bor Gulls", "it has U+00AD at character 4"),
        ] {
            let refused = TeamSlug::normalise(name).expect_err(problem).to_string();
            assert!(refused.contains(problem), "{refused}");
        }
    }

    #[test]
    fn latin_letters_lose_their_accents() {
        let table = [
            ("àáâãäåāăą", 'a'),
            ("çćč", 'c'),
            ("ďđ", 'd'),
            ("èéêëēėęě", 'e'),
            ("ğ", 'g'),
            ("ìíîïīįı", 'i'),
            ("łľ", 'l'),
            ("ñńň", 'n'),
            ("òóôõöøōő", 'o'),
            ("ř", 'r'),
            ("śšş", 's'),
            ("ţť", 't'),
            ("ùúûüūůű", 'u'),
            ("ýÿ", 'y'),
            ("źžż", 'z'),
        ];
        for (accented, plain) in table {
            let plain = plain.to_string().repeat(accented.chars().count());
            assert_eq!(TeamSlug::normalise(accented).expect(accented).as_str(), plain);
        }
    }
}
