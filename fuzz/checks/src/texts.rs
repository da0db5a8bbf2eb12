//! Keys, names and labels: values that are parsed from typed text.

use std::fmt::{Debug, Display};
use std::str::FromStr;

use sports_accounts::{
    ApiKey, CalendarMonth, CustomerId, CustomerName, Email, FileName, KeyDigest, KeyName, KeySelector, MaskedKey, Plan,
    Product, hide_keys,
};
use sports_domain::content::ObjectHash;
use sports_domain::{Club, ModelColumn, ModelType, Season, Sport, TeamSlug};
use sports_publication::Value;
use sports_publication::slate::TeamName;

/// Parses any text as each kind of value. A value is written as a text that parses as the same value, and a normal
/// form is its own normal form. Text that surrounds a key never prevents the key from being masked.
pub fn read(bytes: &[u8]) {
    let Some((place, text)) = bytes.split_first() else { return };
    let text = String::from_utf8_lossy(text);
    accounts(&text);
    domain(&text);
    let place = usize::from(*place) % (text.len() + 1);
    hidden(&text[..text.floor_char_boundary(place)], &text[text.floor_char_boundary(place)..]);
}

fn accounts(text: &str) {
    if let Ok(key) = ApiKey::parse(text) {
        assert_eq!(key.reveal(), text, "a key is its text");
        let mask = key.masked().to_string();
        assert_eq!(mask.parse(), Ok(key.masked()));
        assert!(!format!("{key:?}{mask}").contains(secret(text)), "a mask shows what it hides");
        assert_eq!(text.parse(), Ok(KeySelector::Full(key.digest())));
    }
    let mistyped = format!("{}{text}", ApiKey::PREFIX);
    assert!(ApiKey::parse(&mistyped).is_err() || mistyped.len() == ApiKey::LENGTH);
    reads_back::<MaskedKey>(text);
    reads_back::<KeyDigest>(text);
    reads_back::<CustomerId>(text);
    reads_back::<CalendarMonth>(text);
    reads_back::<Product>(text);
    reads_back::<FileName>(text);
    reads_back::<Plan>(text);
    is_its_own(text, |text| KeyName::new(text).ok());
    is_its_own(text, |text| CustomerName::new(text).ok());
    is_its_own(text, |text| Email::new(text).ok());
}

fn domain(text: &str) {
    reads_back::<Sport>(text);
    reads_back::<ModelType>(text);
    reads_back::<ModelColumn>(text);
    reads_back::<ObjectHash>(text);
    is_its_own(text, |text| TeamSlug::normalise(text).ok());
    for sport in Sport::ALL {
        is_its_own(text, |text| Season::parse(sport, text).ok());
        if let Ok(team) = TeamSlug::normalise(text) {
            let _ = (Club::named(sport, &team), Club::called_today(sport, &team));
        }
    }
    if let Ok(name) = TeamName::new(text) {
        assert_eq!(TeamName::new(name.as_str()), Ok(name));
    }
    if let Some(Value::Integer(number)) = Value::from_text(text) {
        assert_eq!(number.to_string(), text, "a number that is written differently");
    }
}

/// Checks that a key between these texts is masked.
fn hidden(before: &str, after: &str) {
    let key = ApiKey::from_random([7; 32]);
    let whole = format!("{before}{}{after}", key.reveal());
    let masked = hide_keys(&whole).into_owned();
    assert!(!masked.contains(secret(key.reveal())), "a key was not masked: {masked}");
    assert_eq!(hide_keys(&masked), masked, "masking twice changes the text");
}

/// Returns the part of a key that a mask hides.
fn secret(key: &str) -> &str {
    &key[ApiKey::PREFIX.len() + MaskedKey::SHOWN..]
}

fn reads_back<T: FromStr + Display + Debug + PartialEq>(text: &str) {
    is_its_own(text, |text| text.parse::<T>().ok());
}

/// Checks that a value is parsed back from its text.
fn is_its_own<T: Display + Debug + PartialEq>(text: &str, read: impl Fn(&str) -> Option<T>) {
    if let Some(value) = read(text) {
        assert_eq!(read(&value.to_string()).as_ref(), Some(&value), "written and parsed, it differs");
    }
}
