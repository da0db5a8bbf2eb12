use bytes::Bytes;
use serde::Serialize;

/// A JSON object with a list of rows in its middle, written around rows that are JSON already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPage {
    before: Bytes,
    after: Bytes,
}

impl JsonPage {
    /// Writes the fields of `head`, then `list`, then the fields of `tail`. Both have at least one field.
    ///
    /// # Errors
    ///
    /// What serialising either meets.
    pub fn new(head: &impl Serialize, list: &str, tail: &impl Serialize) -> Result<Self, serde_json::Error> {
        let (head, tail) = (fields(head)?, fields(tail)?);
        let list = serde_json::to_string(list)?;
        let before = [b"{", head.as_slice(), b",", list.as_bytes(), b":["].concat();
        let after = [b"],", tail.as_slice(), b"}"].concat();
        Ok(Self { before: before.into(), after: after.into() })
    }

    /// Returns the page in three pieces, to be sent in order without a copy of the rows.
    #[must_use]
    pub fn around(&self, rows: Bytes) -> [Bytes; 3] {
        [self.before.clone(), rows, self.after.clone()]
    }
}

/// Serialises an object without its braces.
fn fields(object: &impl Serialize) -> Result<Vec<u8>, serde_json::Error> {
    let mut written = serde_json::to_vec(object)?;
    written.pop();
    Ok(written.split_off(1))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_page_is_an_object_whose_list_stands_between_its_head_and_its_tail() {
        let head = json!({"season": "\"results\":["});
        for (rows, list) in [("", json!([])), ("{\"a\":1},{\"a\":2}", json!([{"a": 1}, {"a": 2}]))] {
            let page = JsonPage::new(&head, "results", &json!({"total": 2})).expect("serialises");
            let page = page.around(Bytes::from(rows)).concat();
            let read: Value = serde_json::from_slice(&page).expect("JSON");
            assert_eq!(read, json!({"season": "\"results\":[", "results": list, "total": 2}));
            assert!(page.starts_with(b"{\"season\"") && page.ends_with(b",\"total\":2}"));
        }
    }
}
