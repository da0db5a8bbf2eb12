//! The folder of a publisher on one machine: settings, inbox, key, map, and the files that run the service.

mod answers;
mod places;
mod texts;

use std::collections::BTreeSet;
use std::fs::{self, DirBuilder};
use std::io::{self, IsTerminal};
use std::net::ToSocketAddrs;
use std::path::{self, Path, PathBuf};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use sports_program::settings::{Settings, Sources};

use self::answers::{Answers, confirm};
use self::places::{Places, expect_plain};
use crate::cli::Init;
use crate::commands::record::keys;
use crate::failure::Failure;
use crate::report::Report;
use crate::whole_file;

/// Makes what is missing in the folder. A file that exists is replaced only if its owner says so.
pub fn run(arguments: &Init) -> Result<Report, Failure> {
    let asks = !arguments.yes;
    if asks && !io::stdin().is_terminal() {
        return Err(Failure::bad_input(
            "`init` asks questions, and standard input is no terminal: give --yes, and as options what it would ask \
             (`sportsctl init --help`)",
        ));
    }
    let answers = Answers::of(arguments)?;
    let map = texts::map(&answers)?;
    let path = path::absolute(&arguments.folder).map_err(|error| unwritable(&arguments.folder, &error))?;
    expect_plain(&path)?;
    expect_free(&path, &answers)?;
    let file = path.join("sports.toml");
    let load =
        || Settings::load(&Sources { file: Some(file.clone()), ..Sources::default() }).map_err(Failure::bad_input);
    if file.exists() {
        let kept = load()?;
        kept.record.key_file.as_deref().map_or(Ok(()), expect_file)?;
    }
    make_folders(&path)?;
    let places = Places::of(path)?;
    let mut made = Made { asks, ..Made::default() };
    made.file(&file, &texts::settings(&answers, &places))?;
    // The folder may have settings of its owner, which then say where the server listens and where the key is.
    let settings = load()?;
    made.file(&places.folder.join("map.toml"), &map)?;
    for (path, text) in texts::files(&answers, &places, &settings.http.bind) {
        made.file(&places.folder.join(path), &text)?;
    }
    if let Some(key) = settings.record.key_file.as_deref() {
        if key.exists() {
            made.note(key, "kept");
        } else {
            keys::init(&settings)?;
            made.note(key, "made");
        }
    }
    let mut warnings = made.warnings;
    warnings.extend(places.warning());
    if !arguments.offline {
        warnings.extend(answers.domain().and_then(|domain| unreachable(domain, settings.record.timeout)));
    }
    let next = texts::next_commands(&answers, &places);
    let mut lines: Vec<_> = made.files.iter().map(|(path, what)| format!("{what}: {}", path.display())).collect();
    lines.push("next:".to_owned());
    lines.extend(next.iter().map(|command| format!("  {command}")));
    let files: Vec<Value> =
        made.files.iter().map(|(path, what)| json!({ "path": path.display().to_string(), "state": what })).collect();
    let json = json!({ "folder": places.folder.display().to_string(), "files": files, "next": next });
    Ok(Report::with_warnings(lines, warnings, json))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::bad_input(format!("{} cannot be written: {error}; name a folder of your own", path.display()))
}

/// Refuses a folder in which something is at the place of a file or folder that is none.
fn expect_free(folder: &Path, answers: &Answers) -> Result<(), Failure> {
    let files: Vec<_> = texts::names(answers).iter().map(|name| folder.join(name)).collect();
    let folders = files.iter().filter_map(|file| file.parent()).filter(|parent| *parent != folder);
    let folders: BTreeSet<_> =
        FOLDERS.map(|name| folder.join(name)).into_iter().chain(folders.map(Path::to_owned)).collect();
    files.iter().try_for_each(|file| expect_file(file))?;
    let taken = folders.iter().find(|folder| folder.symlink_metadata().is_ok() && !folder.is_dir());
    taken.map_or(Ok(()), |taken| {
        Err(Failure::bad_input(format!("{} is no folder: move it away, or name another folder", taken.display())))
    })
}

/// Refuses what is no file: a pipe could block for ever, and a link to nothing would be replaced.
fn expect_file(path: &Path) -> Result<(), Failure> {
    if path.symlink_metadata().is_err() || path.is_file() {
        return Ok(());
    }
    Err(Failure::bad_input(format!("{} is no regular file: move it away, or name another folder", path.display())))
}

const FOLDERS: [&str; 3] = ["inbox", "record", "backups"];

/// Makes the folder and those in it, for its owner alone.
fn make_folders(path: &Path) -> Result<(), Failure> {
    let mut private = DirBuilder::new();
    private.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut private, 0o700);
    for folder in [path.to_owned()].into_iter().chain(FOLDERS.map(|name| path.join(name))) {
        private.create(&folder).map_err(|error| unwritable(&folder, &error))?;
    }
    Ok(())
}

/// What became of each file.
#[derive(Default)]
struct Made {
    asks: bool,
    files: Vec<(PathBuf, &'static str)>,
    warnings: Vec<String>,
}

impl Made {
    fn note(&mut self, path: &Path, what: &'static str) {
        self.files.push((path.to_owned(), what));
    }

    /// Writes a file that is missing, or that its owner gives up.
    fn file(&mut self, path: &Path, text: &str) -> Result<(), Failure> {
        let (shown, found) = (path.display(), fs::read(path));
        let failed = |error: io::Error| Failure::bad_input(format!("{shown} cannot be written: {error}"));
        match found {
            Ok(found) if found == text.as_bytes() => self.note(path, "kept"),
            Ok(_) if !(self.asks && confirm(&format!("{shown} is another one. Replace it?"), false)?) => {
                self.note(path, "kept");
                self.warnings.push(format!(
                    "{shown} differs from what was asked for, and is kept: move it away to have it made anew"
                ));
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(failed(error)),
            found => {
                whole_file::write(path, text.as_bytes()).map_err(failed)?;
                self.note(path, if found.is_ok() { "replaced" } else { "made" });
            }
        }
        Ok(())
    }
}

/// Returns a warning about a domain that leads nowhere yet. A look that takes too long ends with the program.
fn unreachable(domain: &str, timeout: Duration) -> Option<String> {
    let (answer, found) = mpsc::channel();
    let host = domain.to_owned();
    thread::spawn(move || answer.send((host.as_str(), 443).to_socket_addrs().is_ok()));
    let is_found = found.recv_timeout(timeout).unwrap_or_default();
    (!is_found).then(|| {
        format!(
            "no address of {domain} was found: point the domain at this machine before Caddy asks for its certificate"
        )
    })
}
