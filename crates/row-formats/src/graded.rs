use sports_grading::Verdict;
use sports_paging::Order;
use sports_publication::season_table::{ArchiveColumn, GradedGame};
use sports_publication::{ArchivedGame, SeasonArchive};

/// A season graded once, and the columns that it is served with.
pub struct Graded {
    archive: SeasonArchive,
    /// The season's label.
    label: String,
    verdicts: Vec<Verdict>,
    columns: Vec<ArchiveColumn>,
    weight: usize,
}

impl Graded {
    /// Grades every game.
    pub fn new(archive: SeasonArchive) -> Self {
        let model_type = archive.market().model_type;
        let mut own = Vec::new();
        let verdicts = archive.games().iter().map(|game| {
            own.clear();
            game.forecast.own.write_blocks(archive.models(), &mut own);
            game.market_game_with(model_type, &own).verdict()
        });
        let verdicts: Vec<_> = verdicts.collect();
        let weight = weight_of(archive.games()) + size_of_val(&*verdicts);
        let columns = ArchiveColumn::served(&archive);
        Self { label: archive.season().to_string(), columns, verdicts, archive, weight }
    }

    pub const fn archive(&self) -> &SeasonArchive {
        &self.archive
    }

    pub fn columns(&self) -> &[ArchiveColumn] {
        &self.columns
    }

    /// Returns the number of games.
    pub fn len(&self) -> usize {
        self.verdicts.len()
    }

    /// Returns the games in these rows, counted in an order.
    pub fn games(&self, order: Order, rows: impl Iterator<Item = usize>) -> impl Iterator<Item = GradedGame<'_>> {
        rows.filter_map(move |index| {
            let games = self.archive.games();
            let place = match order {
                Order::OldestFirst => index,
                Order::NewestFirst => games.len().checked_sub(index + 1)?,
            };
            self.game(place)
        })
    }

    /// Returns a game by its index, oldest first.
    pub fn game(&self, place: usize) -> Option<GradedGame<'_>> {
        let game = self.archive.games().get(place)?;
        Some(GradedGame::new(&self.archive, &self.label, game, *self.verdicts.get(place)?))
    }

    /// Returns the approximate number of bytes held.
    pub const fn weight(&self) -> usize {
        self.weight
    }
}

/// Adds up the bytes of games.
fn weight_of(games: &[ArchivedGame]) -> usize {
    let own: usize = games.iter().map(|game| game.forecast.own.bytes()).sum();
    size_of_val(games) + own + games.len() * TEXTS_OF_A_GAME
}

/// The approximate size of the texts of one game beside the game itself, in bytes.
const TEXTS_OF_A_GAME: usize = 256;
