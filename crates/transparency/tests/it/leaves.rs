use sports_transparency::{LEAF_LIMIT, Leaf, LeafFact, RecordedEnding, StatusWord};

const HASH: &str = "b004fc89ae340b3c2956a1cc71e01d07ed93c8248de2e234a47c5d210d59b1c4";
const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";
const GAME: &str = "2024-01-06 16:30:00 pittsburgh_steelers baltimore_ravens";
/// The vkey of RFC 8032's first test vector, by C2SP signed-note: an id of the name and the key.
const VKEY: &str = "example.com/api/v1/record/nfl+9dd40a8e+AddamAGCsQq31Uv+08lkBzoO4XLz2qYjJa8CGmj3B1Ea";
const LATER: &str = "2024-01-07 - pittsburgh_steelers baltimore_ravens #2";

/// One leaf of each kind and form, in the order of the tree.
fn leaves() -> Vec<String> {
    let lines = [
        format!("release\nnfl 42 2024-01-06T15:00:00.000Z system\nsha256:{HASH}"),
        format!("restart\nnfl 43\nsha256:{HASH}"),
        format!("key\nnfl 42\n{VKEY}"),
        format!("model\nnfl 42\nBLEND 2026.11.2 sha256:{HASH}"),
        "model\nnfl 42\nELO a%20b%2Fc%25 -".to_owned(),
        "model\nnfl 42\nXGB %2D -".to_owned(),
        "model\nnfl 42\nXT - -".to_owned(),
        format!("moved\nnfl 2023-24 42\n{GAME}\n{LATER}"),
        format!("withdrawn\nnfl over_under 2023-24 42\n{LATER}"),
        format!("withdrawn\nnfl won_on_points 2023-24 42\n{GAME}"),
        format!("forecast\nnfl won_on_points 2023-24 42\n{GAME}\nsha256:{HASH}"),
        format!("forecast\nnfl won_on_points 2023-24 42\n{LATER}\nsha256:{HASH}"),
        format!("forecast\nnfl won_on_spread 2023-24 42\n{GAME}\nsha256:{HASH}"),
        format!("final\nnfl 2023-24 42\n{GAME}\n17 10 settled"),
        format!("final\nnfl 2023-24 42\n{LATER}\n- - post-poned_1 2"),
    ];
    lines.iter().map(|lines| format!("sports-record/v1 {lines}\n")).collect()
}

#[test]
fn a_leaf_of_each_kind_is_written_as_it_was_parsed() {
    for text in leaves() {
        let leaf = Leaf::parse(&text).expect(&text);
        assert_eq!(leaf.to_text(), text);
        assert!(text.starts_with(&format!("sports-record/v1 {}\n", leaf.fact.kind())));
        assert_eq!(leaf.sport.code(), "nfl");
        assert!(text.lines().nth(1).expect("a line").split(' ').any(|word| word == leaf.generation.to_string()));
    }
    let first = format!("sports-record/v1 release\nnfl 1 2024-01-06T15:00:00.000Z set\nsha256:{ZEROS}\n");
    assert!(matches!(Leaf::parse(&first), Ok(Leaf { fact: LeafFact::Release { continues: None, .. }, .. })));
    let gone = format!("sports-record/v1 final\nnfl 2023-24 42\n{GAME}\n- - -\n");
    assert!(matches!(Leaf::parse(&gone), Ok(Leaf { fact: LeafFact::Final { ending: RecordedEnding::Gone, .. }, .. })));
}

#[test]
fn leaves_are_ordered_by_kind_then_market_then_game() {
    let parsed: Vec<_> = leaves().iter().map(|text| Leaf::parse(text).expect("a leaf")).collect();
    let mut sorted = parsed.clone();
    sorted.reverse();
    sorted.sort_by(Leaf::record_order);
    assert_eq!(sorted, parsed);
}

#[test]
fn a_leaf_of_an_unknown_kind_is_kept_as_it_is() {
    for (kind, text) in [
        ("later", "sports-record/v1 later\nnfl 42\n".to_owned()),
        ("a_kind", format!("sports-record/v1 a_kind\nnfl won_on_points new words 42\n{GAME}\n\nanything\n")),
    ] {
        let leaf = Leaf::parse(&text).expect(&text);
        assert_eq!((leaf.generation, leaf.fact.kind(), leaf.fact.is_unknown()), (42, kind, true));
        assert_eq!(leaf.to_text(), text);
    }
    for text in [
        "sports-record/v1 later\nnfl\n",
        "sports-record/v1 later\nnfl 042\n",
        "sports-record/v1 later\nnfl 42",
        "sports-record/v1 Later\nnfl 42\n",
        "sports-record/v1 restart\nnfl 42\n",
        "sports-record/v1 key\nnfl 42\nno vkey\n",
    ] {
        assert!(Leaf::parse(text).is_err(), "{text}");
    }
}

#[test]
fn a_leaf_in_any_other_form_is_refused() {
    for text in leaves() {
        let mut others = vec![
            text.trim_end().to_owned(),
            format!("{text}\n"),
            text.replace('\n', "\r\n"),
            text.replacen("v1", "v2", 1),
            text.replacen(' ', "  ", 1),
            format!(" {text}"),
            text.replacen("nfl 4", "nfl +4", 1),
            text.replacen("nfl", "NFL", 1),
            text.replacen("nfl", "xfl", 1),
        ];
        others.extend(text.contains("sha256:").then(|| text.replace("sha256:b0", "sha256:B0")));
        others.extend(text.contains("16:30:00").then(|| text.replace("16:30:00", "16:30")));
        others.extend(text.contains("2023-24 42").then(|| text.replace("2023-24", "2023-25")));
        others.extend(text.contains("#2").then(|| text.replace("#2", "#02")));
        others.extend(text.contains("baltimore_ravens").then(|| text.replace("baltimore_ravens", "Baltimore_ravens")));
        others.extend(text.contains(".000Z").then(|| text.replace(".000Z", ".00Z")));
        others.extend(text.contains("%2F").then(|| text.replace("%2F", "%2f")));
        others.extend(text.contains("a%20b").then(|| text.replace("a%20b", "%61%20b")));
        others.extend(text.contains("17 10").then(|| text.replace("17 10 settled", "- - settled")));
        others.extend(text.contains("17 10").then(|| text.replace("17 10", "017 10")));
        others.extend(text.contains("17 10").then(|| text.replace("settled", "-")));
        for other in others.into_iter().filter(|other| *other != text) {
            let refused = Leaf::parse(&other).expect_err(&other).to_string();
            assert_eq!(refused, "not a leaf of the record in the form sports-record/v1", "{other:?}");
        }
    }
}

#[test]
fn a_leaf_beyond_65_535_bytes_is_refused() {
    let of_length = |length: usize| {
        let (head, tail) = ("sports-record/v1 model\nnfl 42\nELO ", " -\n");
        format!("{head}{}{tail}", "x".repeat(length - head.len() - tail.len()))
    };
    assert!(Leaf::parse(&of_length(LEAF_LIMIT)).is_ok());
    let refused = Leaf::parse(&of_length(LEAF_LIMIT + 1)).expect_err("too long");
    assert_eq!(refused.to_string(), "a leaf has at most 65535 bytes");
}

#[test]
fn a_word_of_an_earlier_program_has_the_nearest_status() {
    let long = "x".repeat(80);
    for (word, status) in
        [("settled", "settled"), ("Final/OT", "final_ot_"), ("-", "-_"), ("", "_"), ("a\u{e9}\n", "a___")]
    {
        assert_eq!(StatusWord::like(word).as_str(), status);
    }
    assert_eq!(StatusWord::like(&long).as_str(), format!("{}_", "x".repeat(63)));
}

#[test]
fn a_status_is_1_to_64_plain_characters_and_not_a_dash_alone() {
    for word in ["settled", "a", "0", " ", "_-_", "--", &"x".repeat(64)] {
        assert_eq!(word.parse::<StatusWord>().expect(word).as_str(), word);
    }
    for word in ["", "-", "Settled", "após", "a.b", "a\n", &"x".repeat(65)] {
        assert!(word.parse::<StatusWord>().is_err(), "{word}");
    }
}
