//! The payload of a forecast: JSON whose bytes are committed to, written once and then delivered as bytes.

use std::fmt::{self, Write as _};

use chrono::{DateTime, Utc};
use sports_domain::{
    ClockSource, GameKey, GameLines, LineColumn, LineValue, ModelName, ModelType, Probability, Season, Sport,
};

use crate::game_text::TimeText;
use crate::leaf_text::instant_text;

/// The name of the form, the first field of each payload.
pub(crate) const FORM: &str = "sports-forecast/v1";

/// A forecast as it is committed to.
#[derive(Clone)]
pub struct Payload<'a> {
    /// The league.
    pub sport: Sport,
    /// The market.
    pub model_type: ModelType,
    /// The season of the game.
    pub season: Season,
    /// The game.
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
    #[must_use]
    pub fn to_json(&self) -> String {
        let Self { sport, model_type, season, game, .. } = self;
        let mut fields = Fields::new();
        fields.text("form", FORM);
        fields.text("sport", sport.code());
        fields.text("model_type", model_type.code());
        fields.text("season", &season.to_string());
        fields.text("date", &game.date.to_string());
        match game.time {
            Some(time) => fields.text("time_est", &TimeText(time).to_string()),
            None => fields.raw("time_est", "null"),
        }
        fields.text("away_team", game.away.as_str());
        fields.text("home_team", game.home.as_str());
        if let Some(number) = game.game_number {
            fields.raw("game_number", &number.to_string());
        }
        fields.text("release_id", self.release_id);
        fields.text("published_at", &instant_text(self.published_at));
        fields.text("clock", self.clock.word());
        fields.raw("lines", &self.lines_json());
        fields.raw("probabilities", &self.probabilities_json());
        fields.finish()
    }

    fn lines_json(&self) -> String {
        let mut fields = Fields::new();
        for column in LineColumn::ALL {
            match self.lines.value(column) {
                Some(LineValue::Price(price)) => fields.raw(column.name(), &price.get().to_string()),
                Some(LineValue::Points(points)) => fields.raw(column.name(), &number_text(points)),
                None => {}
            }
        }
        fields.finish()
    }

    fn probabilities_json(&self) -> String {
        let mut fields = Fields::new();
        for (model, probability) in self.probabilities {
            fields.raw(model.as_str(), &number_text(probability.get()));
        }
        fields.finish()
    }
}

/// A forecast that nobody has bought is a secret of the publisher.
impl fmt::Debug for Payload<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Payload({} {} {})", self.sport, self.model_type, self.game)
    }
}

/// Writes the shortest decimal that reads back to the same double, without an exponent and always with a decimal point.
fn number_text(number: f64) -> String {
    let text = number.to_string();
    if text.contains('.') { text } else { text + ".0" }
}

/// An object of JSON in the making.
struct Fields(String);

impl Fields {
    fn new() -> Self {
        Self("{".to_owned())
    }

    fn name(&mut self, name: &str) {
        if self.0.len() > 1 {
            self.0.push(',');
        }
        push_text(&mut self.0, name);
        self.0.push(':');
    }

    fn raw(&mut self, name: &str, json: &str) {
        self.name(name);
        self.0.push_str(json);
    }

    fn text(&mut self, name: &str, text: &str) {
        self.name(name);
        push_text(&mut self.0, text);
    }

    fn finish(mut self) -> String {
        self.0.push('}');
        self.0
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
