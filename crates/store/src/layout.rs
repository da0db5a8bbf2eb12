use object_store::path::Path;
use sports_domain::Sport;
use sports_domain::content::ObjectHash;
use sports_ports::contents::Part;
use sports_ports::publication::ObjectKind;
use sports_publication::Generation;

/// Returns the folder of a league's log.
pub fn log(sport: Sport) -> Path {
    Path::from_iter(["sports", sport.code(), "log"])
}

/// Returns the path of a log entry. Twelve digits make the order of names the order of numbers.
pub fn entry(sport: Sport, generation: Generation) -> Path {
    log(sport).join(format!("{:012}.json", generation.get()))
}

/// Parses the number in the file name of a log entry. Returns `None` for other names.
pub fn generation(name: &str) -> Option<Generation> {
    let digits = name.strip_suffix(".json")?;
    let twelve = digits.len() == 12 && digits.bytes().all(|b| b.is_ascii_digit());
    twelve.then(|| digits.parse().ok()).flatten().and_then(Generation::new)
}

/// Returns the folder of what was moved out of a league's log.
pub fn set_aside(sport: Sport) -> Path {
    Path::from_iter(["sports", sport.code(), "set-aside"])
}

/// Returns the name of the content that was moved out of a log under a number as the `count`th.
pub fn set_aside_name(generation: Generation, count: usize) -> String {
    format!("{:012}-{count}.json", generation.get())
}

/// Parses the number in the name of what was moved out of a log. Returns `None` for other names.
pub fn set_aside_generation(name: &str) -> Option<Generation> {
    let (digits, count) = name.strip_suffix(".json")?.split_once('-')?;
    count.parse::<usize>().ok()?;
    generation(&format!("{digits}.json"))
}

/// Returns the folder of a league's objects.
pub fn objects(sport: Sport) -> Path {
    Path::from_iter(["sports", sport.code(), "objects"])
}

/// Returns the path of an object.
pub fn object(sport: Sport, kind: ObjectKind, hash: &ObjectHash) -> Path {
    objects(sport).join(object_name(kind, hash))
}

/// Parses the hash in the file name of a league's object.
pub fn object_named(path: &Path) -> Option<ObjectHash> {
    let (hash, ending) = path.filename()?.split_once('.')?;
    hash.parse().ok().filter(|_| matches!(ending, "parquet" | "json"))
}

/// Parses the hash in the file name of an object or a dataset.
pub fn content_named(name: &str) -> Option<ObjectHash> {
    let stem = name.strip_suffix(".parquet").or_else(|| name.strip_suffix(".json")).unwrap_or(name);
    stem.parse().ok()
}

/// Returns the folder of the files that customers buy.
pub fn datasets() -> Path {
    Path::from_iter(["datasets", "objects"])
}

/// Returns the path of a file that customers buy.
pub fn dataset(hash: &ObjectHash) -> Path {
    datasets().join(hash.to_string())
}

/// Returns the folders of entries, objects and datasets in this part of the store.
pub fn folders(part: Part) -> Vec<Path> {
    match part {
        Part::League(sport) => vec![log(sport), objects(sport)],
        Part::Keys => Vec::new(),
        Part::Datasets => vec![datasets()],
    }
}

/// Returns `true` for the name of an unfinished file of a local store: a name that this crate writes, `#` and a
/// number.
pub fn is_unfinished(name: &str) -> bool {
    let is_own = |name: &str| {
        [".json", ".parquet"].iter().any(|ending| name.ends_with(ending)) || name.parse::<ObjectHash>().is_ok()
    };
    unfinished(name).is_some_and(is_own)
}

/// Returns the name of the file that an unfinished one was to become; `None` for other names.
pub fn unfinished(name: &str) -> Option<&str> {
    let (name, number) = name.rsplit_once('#')?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then_some(name)
}

/// Returns an object's file name.
pub fn object_name(kind: ObjectKind, hash: &ObjectHash) -> String {
    let ending = match kind {
        ObjectKind::Parquet => "parquet",
        ObjectKind::Json => "json",
    };
    format!("{hash}.{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_is_found_again_by_its_name() {
        let tenth = Generation::new(10).expect("not zero");
        let path = entry(Sport::Nfl, tenth);
        assert_eq!(path.as_ref(), "sports/nfl/log/000000000010.json");
        assert_eq!(path.filename().and_then(generation), Some(tenth));
        for name in [
            "000000000000.json",
            "10.json",
            "1000000000010.json",
            "000000000010.JSON",
            "000000000010.json#1",
            "readme.md",
            "00000000001a.json",
        ] {
            assert_eq!(generation(name), None, "{name}");
        }
    }

    #[test]
    fn what_was_moved_aside_is_found_again_by_its_name() {
        let tenth = Generation::new(10).expect("not zero");
        let path = set_aside(Sport::Nfl).join(set_aside_name(tenth, 2));
        assert_eq!(path.as_ref(), "sports/nfl/set-aside/000000000010-2.json");
        assert_eq!(path.filename().and_then(set_aside_generation), Some(tenth));
        for name in ["000000000010.json", "10-1.json", "000000000010-a.json", "000000000000-1.json"] {
            assert_eq!(set_aside_generation(name), None, "{name}");
        }
    }

    #[test]
    fn only_a_name_that_this_crate_writes_with_a_number_is_unfinished() {
        let hash = ObjectHash::from_bytes(b"abc").to_string();
        let unfinished = [
            "000000000010.json#1".to_owned(),
            "a.json#1".to_owned(),
            format!("{hash}.parquet#12"),
            format!("{hash}#1"),
        ];
        for name in unfinished {
            assert!(is_unfinished(&name), "{name}");
        }
        for name in [
            "000000000010.json".to_owned(),
            "000000000010.json#".to_owned(),
            "000000000010.json#1a".to_owned(),
            "notes#1".to_owned(),
            format!("{hash}.csv#1"),
            format!("{hash}.parquet"),
            "#1".to_owned(),
        ] {
            assert!(!is_unfinished(&name), "{name}");
        }
    }
}
