use std::fmt;
use std::sync::Arc;

/// A team's normalised name: lowercase letters and digits, words joined by single underscores.
///
/// Cloning is cheap: a season repeats a few hundred names thousands of times.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TeamSlug(Arc<str>);

/// A name without a letter or digit in it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a team name: it has no letter or digit")]
pub struct NotATeam(pub String);

impl TeamSlug {
    /// Normalises a display name or a slug: `Boston Red Sox` becomes `boston_red_sox`.
    ///
    /// Apostrophes, full stops and ampersands vanish (`St. John's` is `st_johns`, `Texas A&M` is
    /// `texas_am`); common accented Latin letters lose their accent; every other run of characters
    /// becomes one underscore.
    ///
    /// # Errors
    ///
    /// [`NotATeam`] when nothing is left.
    pub fn normalise(name: &str) -> Result<Self, NotATeam> {
        let mut slug = String::with_capacity(name.len());
        for symbol in name.chars().flat_map(char::to_lowercase).filter(|c| !matches!(c, '\'' | '’' | '‘' | '.' | '&'))
        {
            match plain_letter(symbol) {
                Some(letter) => slug.push(letter),
                None if slug.is_empty() || slug.ends_with('_') => {}
                None => slug.push('_'),
            }
        }
        let slug = slug.trim_end_matches('_');
        if slug.is_empty() { Err(NotATeam(name.to_owned())) } else { Ok(Self(slug.into())) }
    }

    /// The slug.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn plain_letter(symbol: char) -> Option<char> {
    match symbol {
        'a'..='z' | '0'..='9' => Some(symbol),
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' => Some('a'),
        'ç' => Some('c'),
        'è' | 'é' | 'ê' | 'ë' => Some('e'),
        'ì' | 'í' | 'î' | 'ï' => Some('i'),
        'ñ' => Some('n'),
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' => Some('o'),
        'ù' | 'ú' | 'û' | 'ü' => Some('u'),
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
        ];
        for (name, slug) in table {
            assert_eq!(TeamSlug::normalise(name).expect(name).as_str(), slug);
        }
        assert!(TeamSlug::normalise(" -- ").is_err());
        assert!(TeamSlug::normalise("").is_err());
    }
}
