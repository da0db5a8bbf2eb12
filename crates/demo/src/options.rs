//! Options and settings of a demo.

use std::fs;
use std::num::NonZeroU8;
use std::path::{Path, PathBuf};

use clap::Args;
use sports_program::settings::{Flag, Settings, Sources};

use crate::failure::{BadOptions, Failure};
use crate::publisher::Cycle;

/// Options of the command `demo`.
#[derive(Debug, Clone, PartialEq, Eq, Args)]
pub struct DemoOptions {
    /// Folder of the demo's world, store and database
    #[arg(long, value_name = "FOLDER", default_value = "var/demo")]
    pub data_dir: PathBuf,
    /// Number of seasons of each league to simulate, the current one included [default: 3]
    #[arg(long, value_name = "N")]
    pub seasons: Option<NonZeroU8>,
    /// Seed of the simulated world: the same number gives the same games [default: 7]
    #[arg(long, value_name = "NUMBER")]
    pub seed: Option<u64>,
    /// Number of days before the first start on which nba and nfl were published live, up to 60; 0 starts soonest
    #[arg(long, value_name = "DAYS", default_value_t = 60, value_parser = clap::value_parser!(u8).range(..=60))]
    pub live_days: u8,
    /// Period of the odds refreshes, such as `2h` or `30s`; `off` publishes nothing once the world is there,
    /// `stopped` a morning's releases at their times of day and then nothing
    #[arg(long, value_name = "DURATION", default_value = "2h")]
    pub cycle: Cycle,
    /// Open the page in a browser once the server listens
    #[arg(long)]
    pub open: bool,
}

/// Loads the settings of a demo, with its store and database in `folder`.
///
/// # Errors
///
/// Returns an error if the settings cannot be loaded, or the folder cannot be made.
pub fn settings(mut sources: Sources, folder: &Path) -> Result<Settings, Failure> {
    fs::create_dir_all(folder).map_err(|error| {
        let folder = folder.display();
        BadOptions(format!(
            "--data-dir {folder} cannot be a folder: name another, or remove what is in its place: {error}"
        ))
    })?;
    let flag = |key, kind: &str, name: &str| Flag {
        name: "--data-dir",
        key,
        value: format!("{kind}:{}", folder.join(name).display()),
    };
    sources.flags.push(flag("store.url", "file", "store"));
    sources.flags.push(flag("database.url", "sqlite", "sports.db"));
    Ok(Settings::load(&sources)?)
}
