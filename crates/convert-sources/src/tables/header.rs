use std::collections::BTreeSet;

use csv::StringRecord;
use sports_releases_folder::did_you_mean;

use crate::tables::entry::Entry;

/// The columns of a file, and those of them that are read.
#[derive(Debug)]
pub(crate) struct Header {
    names: Vec<String>,
    used: BTreeSet<usize>,
}

/// The error for a column that cannot be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum NoColumn {
    /// The file has no column of these names, but perhaps one with a similar name.
    Absent(String),
    /// The file has several columns of the name.
    Repeated(String),
}

impl Header {
    pub(crate) fn of(record: &StringRecord) -> Self {
        Self { names: record.iter().map(|name| name.trim().to_owned()).collect(), used: BTreeSet::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.names.len()
    }

    pub(crate) fn name(&self, index: usize) -> &str {
        &self.names[index]
    }

    /// Finds the first of the candidates that the file has, and notes that it is read.
    pub(crate) fn find(&mut self, candidates: &[String]) -> Result<usize, NoColumn> {
        for candidate in candidates {
            if let Some(index) = self.index(candidate)? {
                self.used.insert(index);
                return Ok(index);
            }
        }
        let quoted: Vec<_> = candidates.iter().map(|candidate| format!("`{candidate}`")).collect();
        let hint = candidates.first().map_or_else(String::new, |first| self.hint(first));
        Err(NoColumn::Absent(format!("{}{hint}", quoted.join(", "))))
    }

    /// Finds the column of an entry; `None` for a constant.
    pub(crate) fn column(&mut self, entry: &Entry) -> Result<Option<usize>, NoColumn> {
        if entry.constant.is_some() {
            return Ok(None);
        }
        if entry.after.is_empty() {
            return self.find(&entry.column).map(Some);
        }
        let right = self.find(&entry.after)? + 1;
        if self.names.get(right).is_some_and(|name| is_nameless(name)) {
            self.used.insert(right);
            return Ok(Some(right));
        }
        Err(NoColumn::Absent(format!("a column without a name, right of `{}`", self.names[right - 1])))
    }

    /// Returns a hint at a column with a name similar to `name`.
    pub(crate) fn hint(&self, name: &str) -> String {
        did_you_mean(name, self.names.iter().map(String::as_str).filter(|name| !name.is_empty()))
    }

    /// Returns the names of the columns that are not read.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &str> {
        let unused =
            self.names.iter().enumerate().filter(|(index, name)| !self.used.contains(index) && !is_nameless(name));
        unused.map(|(_, name)| name.as_str())
    }

    /// Finds a column by its exact name, else by its name in other letter case.
    fn index(&self, name: &str) -> Result<Option<usize>, NoColumn> {
        let exact = |known: &&String| known.as_str() == name;
        let folded = |known: &&String| known.eq_ignore_ascii_case(name);
        let count = self.names.iter().filter(exact).count();
        if count > 1 || (count == 0 && self.names.iter().filter(folded).count() > 1) {
            return Err(NoColumn::Repeated(name.to_owned()));
        }
        let position = |matches: &dyn Fn(&&String) -> bool| self.names.iter().position(|known| matches(&known));
        Ok(if count == 1 { position(&exact) } else { position(&folded) })
    }
}

/// Returns true for a blank name, and for the name that data frames give a blank one.
fn is_nameless(name: &str) -> bool {
    name.is_empty() || name.starts_with("Unnamed: ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(toml: &str) -> Entry {
        toml::from_str(toml).expect("an entry")
    }

    #[test]
    fn a_column_is_found_by_the_first_candidate_that_the_file_has() {
        let mut header = Header::of(&StringRecord::from(vec!["Date", " Home Team ", "Run Line", "", "over", "over"]));
        assert_eq!(header.column(&entry("column = [\"home\", \"home team\"]")), Ok(Some(1)));
        assert_eq!(header.column(&entry("after = \"Run Line\"")), Ok(Some(3)));
        assert_eq!(header.column(&entry("constant = \"x\"")), Ok(None));
        assert_eq!(header.column(&entry("column = \"over\"")), Err(NoColumn::Repeated("over".into())));
        let absent = NoColumn::Absent("`dates` (did you mean `Date`?)".into());
        assert_eq!(header.column(&entry("column = \"dates\"")), Err(absent));
        let absent = NoColumn::Absent("a column without a name, right of `Date`".into());
        assert_eq!(header.column(&entry("after = \"Date\"")), Err(absent));
        assert_eq!(header.unused().collect::<Vec<_>>(), ["over", "over"]);
    }
}
