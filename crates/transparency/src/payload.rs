//! The payload of a forecast: JSON whose bytes are committed to, written once and then delivered as bytes.

use std::fmt;
use std::fmt::Write as _;

use chrono::{DateTime, Utc};
use sports_domain::{
    ClockSource, GameKey, GameLines, LineColumn, LineValue, ModelName, ModelType, Probability, Season, Sport,
};

use crate::game_text::{push_date, push_time};
use crate::leaf::instant_text;

/// The name of the form, the first field of each payload.
pub(crate) const FORM: &str = "sports-forecast/v1";

/// A forecast as it is committed to.
#[derive(Clone)]
pub struct Payload<'a> {
    pub sport: Sport,
    pub model_type: ModelType,
    /// The season of the game.
    pub season: Season,
    pub game: &'a GameKey,
    /// The release that made the forecast.
    pub release_id: &'a str,
    /// The publication instant of that release.
    pub published_at: DateTime<Utc>,
    /// The origin of that instant.
    pub clock: ClockSource,
    /// The lines and prices of the row.
    pub lines: &'a GameLines,
    /// The probabilities in the order of the models, without IMPLIED.
    pub probabilities: &'a [(ModelName, Probability)],
}

impl Payload<'_> {
    /// Writes the payload: JSON without spaces, with its fields in one order.
    pub fn to_json(&self) -> String {
        let Self { sport, model_type, season, game, .. } = self;
        // As long as most payloads.
        let mut json = String::with_capacity(1024);
        let mut fields = Fields::begin(&mut json);
        fields.text("form", FORM);
        fields.text("sport", sport.code());
        fields.text("model_type", model_type.code());
        fields.raw("season", format_args!("\"{season}\""));
        fields.quoted("date", |json| push_date(json, game.date));
        match game.time {
            Some(time) => fields.quoted("time_est", |json| push_time(json, time)),
            None => fields.raw("time_est", "null"),
        }
        fields.text("away_team", game.away.as_str());
        fields.text("home_team", game.home.as_str());
        if let Some(number) = game.game_number {
            fields.raw("game_number", number);
        }
        fields.text("release_id", self.release_id);
        fields.text("published_at", &instant_text(self.published_at));
        fields.text("clock", self.clock.word());
        self.push_lines(fields.object("lines"));
        self.push_probabilities(fields.object("probabilities"));
        fields.end();
        json
    }

    fn push_lines(&self, mut fields: Fields<'_>) {
        for column in LineColumn::ALL {
            match self.lines.value(column) {
                Some(LineValue::Price(price)) => fields.raw(column.name(), price.get()),
                Some(LineValue::Points(points)) => fields.decimal(column.name(), points),
                None => {}
            }
        }
        fields.end();
    }

    fn push_probabilities(&self, mut fields: Fields<'_>) {
        for (model, probability) in self.probabilities {
            fields.decimal(model.as_str(), probability.get());
        }
        fields.end();
    }
}

/// A forecast that nobody has bought is a secret of the publisher.
impl fmt::Debug for Payload<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload({} {} {})", self.sport, self.model_type, self.game)
    }
}

/// The fields of an object of JSON that is being written.
struct Fields<'j> {
    json: &'j mut String,
    is_empty: bool,
}

impl<'j> Fields<'j> {
    fn begin(json: &'j mut String) -> Self {
        json.push('{');
        Self { json, is_empty: true }
    }

    fn name(&mut self, name: &str) {
        if !std::mem::take(&mut self.is_empty) {
            self.json.push(',');
        }
        push_text(self.json, name);
        self.json.push(':');
    }

    /// Adds a field whose value is written as JSON.
    fn raw(&mut self, name: &str, json: impl fmt::Display) {
        self.name(name);
        // Writing to a string cannot fail.
        _ = write!(self.json, "{json}");
    }

    /// Adds a field whose text needs no escape.
    fn quoted(&mut self, name: &str, write: impl FnOnce(&mut String)) {
        self.name(name);
        self.json.push('"');
        write(self.json);
        self.json.push('"');
    }

    fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        push_text(self.json, text);
    }

    /// Adds the shortest decimal that reads back to the same double, without an exponent and always with a decimal point.
    fn decimal(&mut self, name: &str, number: f64) {
        self.raw(name, number);
        if number.fract() == 0.0 {
            self.json.push_str(".0");
        }
    }

    fn object(&mut self, name: &str) -> Fields<'_> {
        self.name(name);
        Fields::begin(self.json)
    }

    fn end(self) {
        self.json.push('}');
    }
}

/// Writes a string of JSON, with the escapes that it requires alone.
pub(crate) fn push_text(json: &mut String, text: &str) {
    json.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| matches!(byte, b'"' | b'\\' | ..=0x1f)) {
        json.push_str(&rest[..at]);
        match rest.as_bytes()[at] {
            b'"' => json.push_str("\\\""),
            b'\\' => json.push_str("\\\\"),
            b'\n' => json.push_str("\\n"),
            // Writing to a string cannot fail.
            control => _ = write!(json, "\\u{control:04x}"),
        }
        rest = &rest[at + 1..];
    }
    json.push_str(rest);
    json.push('"');
}
