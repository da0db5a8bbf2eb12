//! Where the sites of these tests are: on one machine, in a folder.

use sports_testkit::programs::Place;

/// A place for a new site.
pub fn fresh() -> Place {
    Place::fresh()
}
