use chrono::DateTime;
use sports_domain::{
    AmericanPrice, ClockSource, GameKey, GameLines, HomeSpread, ModelColumn, ModelName, ModelType, Probability, Season,
    Sport, TeamSlug, Total, TwoWayPrices,
};
use sports_transparency::{Leaf, LeafFact, Nonce, Payload, RightEdge, Salt, TreeHash, WrittenLeaf, game_text};

const PAYLOAD: &str = concat!(
    r#"{"form":"sports-forecast/v1","sport":"nfl","model_type":"won_on_points","season":"2023-24","date":"2024-01-06","#,
    r#""time_est":"16:30:00","away_team":"pittsburgh_steelers","home_team":"baltimore_ravens","#,
    r#""release_id":"2024-01-06.20240106T150000000Z.a54aac9ef36b","published_at":"2024-01-06T15:00:00.000Z","#,
    r#""clock":"set","lines":{"home_money_line":130,"away_money_line":-155},"probabilities":{"BLEND":0.5661}}"#,
);

pub fn ravens() -> GameKey {
    GameKey {
        date: "2024-01-06".parse().expect("a date"),
        time: Some("16:30:00".parse().expect("a time")),
        away: TeamSlug::normalise("pittsburgh_steelers").expect("a team"),
        home: TeamSlug::normalise("baltimore_ravens").expect("a team"),
        game_number: None,
    }
}

fn season() -> Season {
    Season::parse(Sport::Nfl, "2023-24").expect("a season")
}

fn price(raw: i32) -> AmericanPrice {
    AmericanPrice::new(raw).expect("a price")
}

fn payload(game: &GameKey, lines: &GameLines, probabilities: &[(ModelName, Probability)]) -> String {
    let payload = Payload {
        sport: Sport::Nfl,
        model_type: ModelType::WonOnPoints,
        season: season(),
        game,
        release_id: "2024-01-06.20240106T150000000Z.a54aac9ef36b",
        published_at: DateTime::from_timestamp(1_704_553_200, 0).expect("an instant"),
        clock: ClockSource::Set,
        lines,
        probabilities,
    };
    payload.to_json()
}

fn blend(probability: f64) -> [(ModelName, Probability); 1] {
    [(ModelName::of(ModelColumn::Blend), Probability::new(probability).expect("a probability"))]
}

/// The vector of the design of the record.
#[test]
fn the_vector_of_the_design_has_its_salt_commitment_leaves_and_root() {
    let money = TwoWayPrices { positive: Some(price(130)), negative: Some(price(-155)) };
    let written = payload(&ravens(), &GameLines { money, ..GameLines::default() }, &blend(0.5661));
    assert_eq!(written, PAYLOAD);
    assert_eq!(written.len(), 401);
    let salt = Nonce::new([0x11; 32]).salt(1, ModelType::WonOnPoints, &ravens());
    assert_eq!(salt.to_hex(), "8f45592e4bc851941780012960144068a4a46510561759319f6766215cd78bd0");
    let commitment = salt.commit(written.as_bytes());
    assert_eq!(commitment.to_string(), "b004fc89ae340b3c2956a1cc71e01d07ed93c8248de2e234a47c5d210d59b1c4");
    let forecast = Leaf {
        sport: Sport::Nfl,
        generation: 1,
        fact: LeafFact::Forecast { model_type: ModelType::WonOnPoints, season: season(), game: ravens(), commitment },
    };
    assert_eq!(forecast.to_text().len(), 183);
    let release = Leaf {
        sport: Sport::Nfl,
        generation: 1,
        fact: LeafFact::Release {
            published_at: DateTime::from_timestamp(1_704_553_200, 0).expect("an instant"),
            clock: ClockSource::Set,
            continues: None,
        },
    };
    assert_eq!(release.to_text().len(), 132);
    let [release, forecast] = [release, forecast].map(WrittenLeaf::from);
    let hex = |leaf: &WrittenLeaf| hex_digits(leaf.hash());
    assert_eq!(hex(&forecast), "24790e1d103c9ddefacb747549bfe8e3acad1ed280e05af68a10319bca11b72d");
    assert_eq!(hex(&release), "dfb00ddad91f43698d4eca2d2d3c2c8a13d871fe18f1ccc818c970d22f6bade8");
    let mut edge = RightEdge::default();
    assert_eq!(edge.root().to_string(), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
    edge.append(release.hash());
    edge.append(forecast.hash());
    assert_eq!(edge.root().to_string(), "EQAfTIqJjlg34NfvZmQ0X/C+bpzRq8eiiLfUM6hI/Zc=");
}

pub fn hex_digits(hash: TreeHash) -> String {
    use std::fmt::Write as _;
    hash.as_bytes().iter().fold(String::new(), |mut digits, byte| {
        _ = write!(digits, "{byte:02x}");
        digits
    })
}

#[test]
fn numbers_of_a_payload_are_the_shortest_decimals_with_a_point_and_no_exponent() {
    let lines = GameLines {
        spread: HomeSpread::new(3.0).ok(),
        total: Total::new(44.5).ok(),
        open_spread: HomeSpread::new(0.0).ok(),
        open_total: Total::new(1e22).ok(),
        ..GameLines::default()
    };
    let game = GameKey { time: None, game_number: Some(2), ..ravens() };
    for (probability, text) in [(0.0, "0.0"), (1.0, "1.0"), (1e-9, "0.000000001"), (0.1 + 0.2, "0.30000000000000004")] {
        let json = payload(&game, &lines, &blend(probability));
        assert!(json.ends_with(&format!(r#""probabilities":{{"BLEND":{text}}}}}"#)), "{json}");
        let expected = concat!(
            r#""lines":{"home_point_spread":3.0,"away_point_spread":-3.0,"open_home_point_spread":0.0,"#,
            r#""open_away_point_spread":0.0,"over_under":44.5,"open_over_under":10000000000000000000000.0},"#
        );
        assert!(json.contains(expected), "{json}");
        assert!(json.contains(r#""time_est":null,"away_team":"pittsburgh_steelers","#), "{json}");
        assert!(json.contains(r#""home_team":"baltimore_ravens","game_number":2,"release_id""#), "{json}");
    }
}

#[test]
fn a_game_has_one_text() {
    assert_eq!(game_text(&ravens()), "2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens");
    let second = GameKey { time: None, game_number: Some(2), ..ravens() };
    assert_eq!(game_text(&second), "2024-01-06 - pittsburgh_steelers baltimore_ravens #2");
}

#[test]
fn secrets_are_masked_and_have_one_spelling() {
    let digits = "1a".repeat(32);
    let (nonce, salt): (Nonce, Salt) = (digits.parse().expect("a nonce"), digits.parse().expect("a salt"));
    assert_eq!(format!("{nonce:?} {salt:?}"), "Nonce(***) Salt(***)");
    assert_eq!((nonce.to_hex(), salt.to_hex()), (digits.clone(), digits.clone()));
    for other in [digits.to_uppercase(), digits[1..].to_owned(), format!("{digits}1a"), "g".repeat(64)] {
        assert!(other.parse::<Nonce>().is_err() && other.parse::<Salt>().is_err(), "{other}");
    }
}
