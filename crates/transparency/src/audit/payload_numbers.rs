//! The numbers at the end of a payload: its lines and its probabilities, in their one form.

use std::collections::BTreeMap;

/// The numbers of a payload by name.
pub(crate) struct PayloadNumbers<'p> {
    pub(crate) lines: BTreeMap<&'p str, f64>,
    pub(crate) probabilities: BTreeMap<&'p str, f64>,
}

const BETWEEN: &str = "},\"probabilities\":{";

impl<'p> PayloadNumbers<'p> {
    /// Reads the rest of a payload behind `"lines":{`; `None` if it is anything but two objects of numbers.
    pub(crate) fn read(rest: &'p str) -> Option<Self> {
        let (lines, probabilities) = rest.strip_suffix("}}")?.split_once(BETWEEN)?;
        Some(Self { lines: numbers(lines)?, probabilities: numbers(probabilities)? })
    }
}

fn numbers(fields: &str) -> Option<BTreeMap<&str, f64>> {
    let mut numbers = BTreeMap::new();
    if fields.is_empty() {
        return Some(numbers);
    }
    for field in fields.split(',') {
        let (name, number) = field.split_once(':')?;
        let name = name.strip_prefix('"')?.strip_suffix('"')?;
        let is_decimal = number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'.' | b'-'));
        let number = number.parse().ok().filter(|_| is_decimal && !name.contains('"'))?;
        if numbers.insert(name, number).is_some() {
            return None;
        }
    }
    Some(numbers)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_their_one_form_alone() {
        let read = PayloadNumbers::read(r#""home_money_line":130},"probabilities":{"BLEND":0.5661,"ELO":0.5}}"#);
        let read = read.expect("numbers");
        assert_eq!(read.lines, [("home_money_line", 130.0)].into());
        assert_eq!(read.probabilities, [("BLEND", 0.5661), ("ELO", 0.5)].into());
        assert!(PayloadNumbers::read(r#"},"probabilities":{}}"#).is_some_and(|read| read.lines.is_empty()));
        for bad in [
            r#"},"probabilities":{"BLEND":0.5,"BLEND":0.6}}"#,
            r#"},"probabilities":{"BLEND":1e9}}"#,
            r#"},"probabilities":{"BLEND":NaN}}"#,
            r#"},"probabilities":{"BLEND": 0.5}}"#,
            r#"},"probabilities":{}},"more":{}}"#,
            r#"},"probabilities":{}"#,
            "",
        ] {
            assert!(PayloadNumbers::read(bad).is_none(), "{bad}");
        }
    }
}
