//! The rows of a page as the bytes of its body.

use crate::service::Answer;

const BEFORE: &str = r#""results":["#;
const AFTER: &str = r#"],"last_updated":"#;

/// Returns the text between the brackets of `results`.
pub fn raw(page: &Answer) -> &str {
    let text = page.text();
    let start = text.find(BEFORE).expect("results") + BEFORE.len();
    let end = text.rfind(AFTER).expect("an end");
    &text[start..end]
}

/// Splits the text of an array into its objects.
pub fn split(array: &str) -> Vec<&str> {
    let (mut rows, mut depth, mut in_string, mut escaped, mut start) = (Vec::new(), 0, false, false, 0);
    for (at, byte) in array.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if in_string => escaped = true,
            b'"' => in_string = !in_string,
            b'{' if !in_string => {
                start = if depth == 0 { at } else { start };
                depth += 1;
            }
            b'}' if !in_string => {
                depth -= 1;
                if depth == 0 {
                    rows.push(&array[start..=at]);
                }
            }
            b',' if !in_string && depth == 0 => assert_eq!(array.as_bytes().get(at + 1), Some(&b'{'), "at {at}"),
            _ => assert!(depth > 0, "`{}` at {at} is between rows", byte as char),
        }
    }
    rows
}

/// Returns the rows of a page, each as its text.
pub fn texts(page: &Answer) -> Vec<&str> {
    split(raw(page))
}

#[test]
fn rows_are_separated_whatever_they_contain() {
    let array = r#"{"a":"}{\",","b":{}},{"c":[1,2]}"#;
    assert_eq!(split(array), [r#"{"a":"}{\",","b":{}}"#, r#"{"c":[1,2]}"#]);
    assert!(split("").is_empty());
}
