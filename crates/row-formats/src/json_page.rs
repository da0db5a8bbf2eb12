use bytes::Bytes;
use serde::Serialize;

/// A JSON object with a list of rows in its middle, written around rows that are JSON already.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JsonPage {
    before: Bytes,
    after: Bytes,
}

/// The bytes that the usual fields on one side of the rows take.
const ROOM: usize = 256;

impl JsonPage {
    /// Writes the fields of `head`, then `list`, then the fields of both `tails`. Each has at least one field.
    ///
    /// # Errors
    ///
    /// What serialising either meets.
    pub fn new(
        head: &impl Serialize,
        list: &str,
        tails: (&impl Serialize, &impl Serialize),
    ) -> Result<Self, serde_json::Error> {
        let (mut before, mut after) = (Vec::with_capacity(ROOM), Vec::with_capacity(ROOM));
        append(&mut before, b'{', head)?;
        before.push(b',');
        serde_json::to_writer(&mut before, list)?;
        before.extend_from_slice(b":[");
        after.push(b']');
        append(&mut after, b',', tails.0)?;
        append(&mut after, b',', tails.1)?;
        after.push(b'}');
        Ok(Self { before: before.into(), after: after.into() })
    }

    /// Returns the page in three pieces, to be sent in order without a copy of the rows.
    pub fn around(&self, rows: Bytes) -> [Bytes; 3] {
        [self.before.clone(), rows, self.after.clone()]
    }
}

/// Appends the fields of an object without its braces, behind this byte.
fn append(to: &mut Vec<u8>, behind: u8, object: &impl Serialize) -> Result<(), serde_json::Error> {
    let start = to.len();
    serde_json::to_writer(&mut *to, object)?;
    to[start] = behind;
    to.pop();
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn a_page_is_an_object_whose_list_stands_between_its_head_and_its_tail() {
        let head = json!({"season": "\"results\":["});
        for (rows, list) in [("", json!([])), ("{\"a\":1},{\"a\":2}", json!([{"a": 1}, {"a": 2}]))] {
            let page =
                JsonPage::new(&head, "results", (&json!({"total": 2}), &json!({"offset": 0}))).expect("serialises");
            let page = page.around(Bytes::from(rows)).concat();
            let read: Value = serde_json::from_slice(&page).expect("JSON");
            assert_eq!(read, json!({"season": "\"results\":[", "results": list, "total": 2, "offset": 0}));
            assert!(page.starts_with(b"{\"season\"") && page.ends_with(b",\"total\":2,\"offset\":0}"));
        }
    }
}
