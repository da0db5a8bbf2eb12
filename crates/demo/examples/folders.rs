//! Writes a history release folder for each league.
//!
//! ```sh
//! cargo run -p sports-demo --example folders -- DIR 2026-02-14T15:30:00Z 3 7
//! ```

use std::error::Error;
use std::path::Path;

use sports_demo::simulation::World;
use sports_domain::Sport;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [folder, now, seasons, seed] = arguments.as_slice() else {
        return Err("expected a folder, an instant, a number of seasons and a seed".into());
    };
    let now = now.parse()?;
    let world = World::new(seed.parse()?, now, seasons.parse()?);
    for sport in Sport::ALL {
        world.history_release(sport, now).write(&Path::new(folder).join(sport.code()))?;
    }
    Ok(())
}
