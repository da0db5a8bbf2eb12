//! The colours of models on the page.

use std::collections::{BTreeMap, BTreeSet};

const STYLE: &str = include_str!("../../../../web/page/tokens.css");
const WORDS: &str = include_str!("../../../../web/page/words.js");
const TONES: &str = include_str!("../../../../web/page/parts/tones.js");

/// The lowest contrast of a graphical object with its background: WCAG 2.2, criterion 1.4.11.
const LOWEST: f64 = 3.0;

/// The backgrounds of lines: the page, details of a row, and a chosen link.
const BACKGROUNDS: [&str; 3] = ["paper", "raised", "mark"];

/// Returns the six-digit colours of a text's custom properties.
fn colours(text: &str) -> BTreeMap<&str, [u8; 3]> {
    let declared = text.lines().filter_map(|line| line.trim().strip_prefix("--")?.strip_suffix(';')?.split_once(": #"));
    let byte = |digits: &str, from: usize| u8::from_str_radix(&digits[from..from + 2], 16).expect("two digits");
    let declared = declared.filter(|(_, digits)| digits.len() == 6);
    declared.map(|(name, digits)| (name, [0, 2, 4].map(|from| byte(digits, from)))).collect()
}

/// Returns the colours of the light and of the dark scheme.
fn schemes() -> [BTreeMap<&'static str, [u8; 3]>; 2] {
    let (light, rest) = STYLE.split_once("@media (prefers-color-scheme: dark)").expect("two schemes");
    let (dark, _) = rest.split_once("\n}").expect("an end");
    let light = colours(light);
    let mut both = light.clone();
    both.extend(colours(dark));
    [light, both]
}

/// Returns the relative luminance of a colour, as WCAG 2.2 defines it.
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = colour.map(|part| match f64::from(part) / 255.0 {
        part if part <= 0.04045 => part / 12.92,
        part => ((part + 0.055) / 1.055).powf(2.4),
    });
    linear.iter().zip([0.2126, 0.7152, 0.0722]).map(|(part, weight)| part * weight).sum()
}

fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let [one, other] = [luminance(one), luminance(other)];
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

#[test]
fn the_contrast_of_black_on_white_is_21_and_of_a_colour_on_itself_1() {
    assert!((contrast([0; 3], [255; 3]) - 21.0).abs() < 1e-9);
    assert!((contrast([118; 3], [255; 3]) - 4.54).abs() < 0.005);
    assert!((contrast([9, 80, 200], [9, 80, 200]) - 1.0).abs() < 1e-9);
}

#[test]
fn the_line_of_every_model_has_a_contrast_of_3_to_1_on_every_background() {
    let mut compared = 0;
    for scheme in schemes() {
        let is_drawn = |name: &str| name.starts_with("tone-") || ["hit", "accent"].contains(&name);
        for (tone, colour) in scheme.iter().filter(|(name, _)| is_drawn(name)) {
            for background in BACKGROUNDS {
                let contrast = contrast(*colour, scheme[background]);
                assert!(contrast >= LOWEST, "{tone} on {background}: {contrast:.2}");
                compared += 1;
            }
        }
    }
    assert_eq!(compared, 2 * 21 * 3, "eleven tones of the page, eight of own models, hits and misses");
}

#[test]
fn every_standard_model_has_a_colour_of_its_name() {
    let (_, names) = WORDS.split_once("export const STANDARD_MODELS = [").expect("names");
    let (names, _) = names.split_once(']').expect("an end");
    let names: Vec<_> = names.split(", ").map(|name| name.trim_matches('"').to_lowercase()).collect();
    assert_eq!(names.len(), 9, "{names:?}");
    assert!(TONES.contains("const NAMED = [...STANDARD_MODELS, \"ENSEMBLE\"];"));
    for scheme in schemes() {
        for name in names.iter().map(String::as_str).chain(["ensemble"]) {
            assert!(scheme.contains_key(format!("tone-{name}").as_str()), "{name} would be drawn black");
        }
    }
}

#[test]
fn own_models_have_eight_colours_by_four_dash_patterns() {
    let [light, dark] = schemes();
    for scheme in [&light, &dark] {
        let own: BTreeSet<_> = (0..8).map(|hue| format!("tone-own-{hue}")).map(|name| scheme[name.as_str()]).collect();
        let standard: BTreeSet<_> =
            scheme.iter().filter(|(name, _)| name.starts_with("tone-") && !name.starts_with("tone-own-")).collect();
        assert_eq!(own.len(), 8);
        assert!(standard.iter().all(|(_, colour)| !own.contains(*colour)));
    }
    assert!(TONES.contains("const HUES = 8;"));
    let (_, patterns) = TONES.split_once("const DASHES = [").expect("patterns");
    let (patterns, _) = patterns.split_once("];").expect("an end");
    let patterns: Vec<_> = patterns.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(patterns.iter().collect::<BTreeSet<_>>().len(), 4, "{patterns:?}");
}
