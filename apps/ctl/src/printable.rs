use std::borrow::Cow;
use std::ffi::OsStr;

/// Returns text for a terminal. Control characters, which values of files and answers of services can have, are escaped.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_escaped = |letter: char| letter.is_control() && !matches!(letter, '\n' | '\t');
    if !text.contains(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for letter in text.chars() {
        if is_escaped(letter) { shown.extend(letter.escape_default()) } else { shown.push(letter) }
    }
    Cow::Owned(shown)
}

/// Returns the name or the path of a file for a terminal, in one line. A program that fills a folder may give files any name.
pub fn printable_name(name: &OsStr) -> String {
    let name = name.to_string_lossy();
    let escaped =
        |letter: char| if letter.is_control() { letter.escape_default().collect() } else { String::from(letter) };
    name.chars().map(escaped).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped_and_lines_stay() {
        assert_eq!(printable("a team\tand another\nå"), "a team\tand another\nå");
        assert_eq!(printable("\u{1b}[2Jnyk\r\u{9b}"), "\\u{1b}[2Jnyk\\r\\u{9b}");
    }
}
