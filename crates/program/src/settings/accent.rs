//! The colour of a site.

use std::fmt;
use std::str::FromStr;

use sports_domain::FormError;

/// A colour that stands out from the light and the dark paper of the page: [`CONTRAST`](Self::CONTRAST) or more against both. It is
/// for marks and rules, never for text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Accent([u8; 3]);

impl Accent {
    /// The colours of the page's papers, light and dark.
    pub const PAPERS: [&str; 2] = ["#fcfcfa", "#14181c"];

    /// The least contrast to each paper, which WCAG 2.2 demands of graphical objects.
    pub const CONTRAST: f64 = 3.0;
}

const NOT_A_COLOUR: FormError = FormError::fixed("a colour as #rrggbb, such as #c2410c");

impl FromStr for Accent {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let colour = colour(text).ok_or(NOT_A_COLOUR)?;
        let of_paper = |paper: &str| self::colour(paper).map_or(1.0, |paper| contrast(colour, paper));
        let [light, dark] = Self::PAPERS.map(of_paper);
        if light.min(dark) >= Self::CONTRAST {
            return Ok(Self(colour));
        }
        let (change, needed) = (if light < dark { "darker" } else { "lighter" }, Self::CONTRAST);
        Err(FormError::new(format!(
            "a colour with a contrast of {needed}:1 to both papers of the page; this one has {light:.2}:1 to the light one and \
             {dark:.2}:1 to the dark one: take a {change} one"
        )))
    }
}

impl fmt::Display for Accent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "#{red:02x}{green:02x}{blue:02x}")
    }
}

fn colour(text: &str) -> Option<[u8; 3]> {
    let digits = text
        .strip_prefix('#')
        .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()))?;
    let part = |place: usize| u8::from_str_radix(&digits[place..place + 2], 16).ok();
    Some([part(0)?, part(2)?, part(4)?])
}

/// Returns the contrast ratio of two colours, from 1 to 21 (WCAG 2.2).
fn contrast(one: [u8; 3], other: [u8; 3]) -> f64 {
    let (one, other) = (luminance(one), luminance(other));
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}

/// Returns the relative luminance of a colour, from 0 to 1 (WCAG 2.2).
fn luminance(colour: [u8; 3]) -> f64 {
    let linear = |part: u8| {
        let part = f64::from(part) / 255.0;
        if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) }
    };
    let [red, green, blue] = colour.map(linear);
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratios are those of other calculators.
    #[test]
    fn the_contrast_is_that_of_wcag() {
        for (one, other, expected) in [
            ("#000000", "#ffffff", 21.0),
            ("#777777", "#ffffff", 4.478),
            ("#ff0000", "#ffffff", 3.998),
            ("#c2410c", "#c2410c", 1.0),
        ] {
            let [one, other] = [one, other].map(|text| colour(text).expect("a colour"));
            assert!((contrast(one, other) - expected).abs() < 0.001, "{}", contrast(one, other));
        }
    }

    #[test]
    fn a_colour_stands_out_from_both_papers_or_is_refused_with_its_ratios() {
        for good in ["#c2410c", "#4475F6", "#06976d"] {
            assert_eq!(good.parse::<Accent>().expect(good).to_string(), good.to_lowercase());
        }
        for (bad, expected) in [
            ("#ffd700", "1.37:1 to the light one and 12.72:1 to the dark one: take a darker one"),
            ("#000080", "15.59:1 to the light one and 1.11:1 to the dark one: take a lighter one"),
            ("c2410c", "a colour as #rrggbb"),
            ("#c24", "a colour as #rrggbb"),
            ("#c2410g", "a colour as #rrggbb"),
            ("red; }", "a colour as #rrggbb"),
        ] {
            let error = bad.parse::<Accent>().expect_err(bad).to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
}
