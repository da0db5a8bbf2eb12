//! The parameters of the world in a demo's folder, which a restarted demo continues.

use std::num::NonZeroU8;
use std::{fs, io};

use chrono::{DateTime, SubsecRound, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sports_domain::within_reach;

use crate::failure::{BadOptions, Failure};
use crate::options::DemoOptions;

const NAME: &str = "world.json";
const SEASONS: NonZeroU8 = NonZeroU8::new(3).expect("not zero");
const SEED: u64 = 7;

/// The time for which every league plays on after its world was created.
const LIFETIME: TimeDelta = TimeDelta::days(28);

/// The parameters of a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct WorldFile {
    pub(super) seed: u64,
    pub(super) seasons: NonZeroU8,
    /// The instant of its creation, at which every league is in the middle of its season.
    pub(super) made_at: DateTime<Utc>,
}

impl WorldFile {
    /// Reads the world of a folder. Writes it at the first start.
    pub(super) fn open(options: &DemoOptions, now: DateTime<Utc>) -> Result<Self, Failure> {
        let path = options.data_dir.join(NAME);
        match sports_program::regular_file::read(&path, 1 << 20) {
            Ok(bytes) => {
                let unreadable = |error| format!("{} cannot be read: {error}; {}", path.display(), start_over(options));
                serde_json::from_slice::<Self>(&bytes).map_err(unreadable)?.fitting(options, now)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if options.data_dir.join("store").exists() {
                    let folder = options.data_dir.display();
                    return Err(BadOptions(format!("{folder} holds no demo's world; {}", start_over(options))).into());
                }
                let (seed, seasons) = (options.seed.unwrap_or(SEED), options.seasons.unwrap_or(SEASONS));
                // In whole seconds, so that the instant can be written exactly.
                let world = Self { seed, seasons, made_at: now.trunc_subsecs(0) };
                fs::write(&path, serde_json::to_vec_pretty(&world)?)?;
                Ok(world)
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the world if it matches the options and still plays.
    fn fitting(self, options: &DemoOptions, now: DateTime<Utc>) -> Result<Self, Failure> {
        let (folder, over) = (options.data_dir.display(), start_over(options));
        if options.seed.is_some_and(|seed| seed != self.seed)
            || options.seasons.is_some_and(|seasons| seasons != self.seasons)
        {
            let Self { seed, seasons, .. } = self;
            let held = format!("{folder} holds the world of --seed {seed} --seasons {seasons}; {over}");
            return Err(BadOptions(held).into());
        }
        let unreachable = |out| BadOptions(format!("{folder} holds a world that was not made {out}; {over}"));
        within_reach(self.made_at).map_err(unreachable)?;
        if now < self.made_at || now > self.made_at + LIFETIME {
            let (from, until) = (self.made_at.to_rfc3339(), (self.made_at + LIFETIME).to_rfc3339());
            return Err(BadOptions(format!("{folder} holds a world that plays from {from} to {until}; {over}")).into());
        }
        Ok(self)
    }
}

fn start_over(options: &DemoOptions) -> String {
    format!("remove {} or name another folder with --data-dir", options.data_dir.display())
}
