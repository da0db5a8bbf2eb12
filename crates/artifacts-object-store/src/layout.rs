use object_store::path::Path;
use sports_content::ObjectHash;
use sports_domain::Sport;
use sports_ports::contents::Part;
use sports_ports::publication::ObjectKind;
use sports_publication::Generation;

/// The folder of a league's log.
pub fn log(sport: Sport) -> Path {
    Path::from_iter(["sports", sport.code(), "log"])
}

/// A log entry; twelve digits keep names in the order of numbers.
pub fn entry(sport: Sport, generation: Generation) -> Path {
    log(sport).join(format!("{:012}.json", generation.get()))
}

/// The number that a name in a log carries; `None` for names that are no entry's.
pub fn generation(name: &str) -> Option<Generation> {
    let digits = name.strip_suffix(".json")?;
    let twelve = digits.len() == 12 && digits.bytes().all(|b| b.is_ascii_digit());
    twelve.then(|| digits.parse().ok()).flatten().and_then(Generation::new)
}

/// The folder of a league's objects.
pub fn objects(sport: Sport) -> Path {
    Path::from_iter(["sports", sport.code(), "objects"])
}

/// An object.
pub fn object(sport: Sport, kind: ObjectKind, hash: &ObjectHash) -> Path {
    objects(sport).join(object_name(kind, hash))
}

/// The object that a file is by its name.
pub fn object_named(path: &Path) -> Option<ObjectHash> {
    let (hash, ending) = path.filename()?.split_once('.')?;
    hash.parse().ok().filter(|_| matches!(ending, "parquet" | "json"))
}

/// The content that a file among objects or datasets has by its name.
pub fn content_named(name: &str) -> Option<ObjectHash> {
    let stem = name.strip_suffix(".parquet").or_else(|| name.strip_suffix(".json")).unwrap_or(name);
    stem.parse().ok()
}

/// The folder of the files that customers buy.
pub fn datasets() -> Path {
    Path::from_iter(["datasets", "objects"])
}

/// A file that customers buy.
pub fn dataset(hash: &ObjectHash) -> Path {
    datasets().join(hash.to_string())
}

/// Every folder of a part of the store that files are written to.
pub fn folders(part: Part) -> Vec<Path> {
    match part {
        Part::League(sport) => vec![log(sport), objects(sport)],
        Part::Datasets => vec![datasets()],
    }
}

/// Whether a file name is one of a local store that is still writing: the name of a file such as ours, a `#` and a number.
pub fn is_unfinished(name: &str) -> bool {
    let Some((name, number)) = name.rsplit_once('#') else { return false };
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_ours =
        [".json", ".parquet"].iter().any(|ending| name.ends_with(ending)) || name.parse::<ObjectHash>().is_ok();
    is_number && is_ours
}

/// An object's file name.
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
    fn only_files_such_as_ours_are_unfinished() {
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
