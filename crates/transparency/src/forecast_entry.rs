//! The leaf of a forecast as a reader of a proof sees it: by its form alone, since a verifier's code outlives the list of
//! leagues.

use crate::leaf::LEAF_LIMIT;
use crate::payload;

/// The parts of a forecast leaf that its payload repeats, and the commitment.
pub(crate) struct ForecastEntry<'a> {
    sport: &'a str,
    model_type: &'a str,
    season: &'a str,
    date: &'a str,
    time: Option<&'a str>,
    away: &'a str,
    home: &'a str,
    number: Option<&'a str>,
    /// The commitment, as hexadecimal digits.
    pub(crate) commitment: &'a str,
}

impl<'a> ForecastEntry<'a> {
    /// Reads the text of a leaf; `None` if it is not a forecast's.
    pub(crate) fn read(text: &'a str) -> Option<Self> {
        if text.len() > LEAF_LIMIT {
            return None;
        }
        let lines: Vec<_> = text.strip_suffix('\n')?.split('\n').collect();
        let ["sports-record/v1 forecast", head, game, hash] = lines[..] else { return None };
        let [sport, model_type, season, generation] = head.split(' ').collect::<Vec<_>>().try_into().ok()?;
        let game: Vec<_> = game.split(' ').collect();
        let ([date, time, away, home], number) = match game[..] {
            [date, time, away, home] => ([date, time, away, home], None),
            [date, time, away, home, number] => ([date, time, away, home], Some(number.strip_prefix('#')?)),
            _ => return None,
        };
        let commitment = hash.strip_prefix("sha256:")?;
        let is_season = has_form(season, "0000") || has_form(season, "0000-00");
        let is_time = time == "-" || has_form(time, "00:00:00");
        let are_words = is_word(sport) && is_word(model_type) && is_word(away) && is_word(home);
        let are_numbers = is_number(generation) && number.is_none_or(is_number);
        let is_hash = commitment.len() == 64 && commitment.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let time = Some(time).filter(|time| *time != "-");
        (is_season && is_time && are_words && are_numbers && is_hash && has_form(date, "0000-00-00")).then_some(Self {
            sport,
            model_type,
            season,
            date,
            time,
            away,
            home,
            number,
            commitment,
        })
    }

    /// Returns the bytes with which the payload of this leaf begins.
    pub(crate) fn payload_start(&self) -> String {
        let Self { sport, model_type, season, date, away, home, .. } = self;
        let time = self.time.map_or_else(|| "null".to_owned(), |time| format!("\"{time}\""));
        let number = self.number.map_or_else(String::new, |number| format!(",\"game_number\":{number}"));
        format!(
            "{{\"form\":\"{form}\",\"sport\":\"{sport}\",\"model_type\":\"{model_type}\",\"season\":\"{season}\",\
             \"date\":\"{date}\",\"time_est\":{time},\"away_team\":\"{away}\",\"home_team\":\"{home}\"{number},\
             \"release_id\":\"",
            form = payload::FORM,
        )
    }
}

/// Returns `true` for text of a form in which `0` stands for a digit and everything else for itself.
fn has_form(text: &str, form: &str) -> bool {
    let fits = |(byte, form): (u8, u8)| if form == b'0' { byte.is_ascii_digit() } else { byte == form };
    text.len() == form.len() && text.bytes().zip(form.bytes()).all(fits)
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'))
}

/// Returns `true` for a whole number from 1 without additional zeros.
fn is_number(text: &str) -> bool {
    !text.is_empty() && !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit())
}
