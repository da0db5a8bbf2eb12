//! The speed of conversions, in bytes of CSV: a row a game with the columns of nflverse, and sheets with two short rows a game.

use std::fmt::Write as _;
use std::hint::black_box;

use bytes::Bytes;
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use sports_domain::{Season, Sport};
use sports_publisher_files::convert::tables::{
    ColumnMap, GameSelection, InputFile, Postseason, Preset, Request, convert,
};

const TEAMS: [&str; 8] = ["DAL", "TB", "KC", "BUF", "LA", "SEA", "NYG", "NYJ"];
const JOINED: [&str; 8] =
    ["Dallas", "TampaBay", "KansasCity", "BuffaloBills", "LARams", "Seattle", "NYGiants", "NYJets"];

/// Returns the place of the away and of the home team of a game.
const fn teams(game: usize) -> (usize, usize) {
    (game % 8, (game + 1 + game / 8 % 7) % 8)
}

/// Writes seasons of 1,000 games in the columns of nflverse.
fn wide(games: usize) -> String {
    let mut text = "game_id,season,game_type,week,gameday,weekday,gametime,away_team,away_score,home_team,home_score,location,result,\
                    total,overtime,old_game_id,gsis,nfl_detail_id,pfr,pff,espn,ftn,away_rest,home_rest,away_moneyline,home_moneyline,\
                    spread_line,away_spread_odds,home_spread_odds,total_line,under_odds,over_odds,div_game,roof,surface,temp,wind,\
                    away_qb_id,home_qb_id,away_qb_name,home_qb_name,away_coach,home_coach,referee,stadium_id,stadium\n"
        .to_owned();
    for game in 0..games {
        let ((away, home), year) = (teams(game), 1970 + game / 1_000);
        let (month, day, hour) = (9 + game / 250 % 4, 1 + game / 9 % 28, 10 + game % 9);
        let (away, home) = (TEAMS[away], TEAMS[home]);
        writeln!(
            text,
            "{year}_{game}_{away}_{home},{year},REG,1,{year}-{month:02}-{day:02},Sunday,{hour}:{:02},{away},{},{home},{},Home,3,44,0,\
             1999091210,598,,199909120atl,,190912001,,7,7,{},-{},{}.5,-110,-108,{}.5,-105,-115,0,dome,astroturf,72,8,00-0003761,\
             00-0002876,Randall Cunningham,Chris Chandler,Dennis Green,Dan Reeves,Gerry Austin,ATL00,Georgia Dome",
            game % 60,
            game % 40,
            (game * 7) % 40,
            100 + game % 300,
            100 + game % 250,
            game % 14,
            40 + game % 20,
        )
        .expect("written");
    }
    text
}

/// Writes a sheet of one season, two rows a game.
fn sheet(games: usize) -> String {
    let mut text = "Date,Rot,VH,Team,1st,2nd,3rd,4th,Final,Open,Close,ML,2H\n".to_owned();
    for game in 0..games {
        let (away, home) = teams(game);
        let day = game * 140 / games;
        let date = format!("{}{:02}", [9, 10, 11, 12, 1][day / 28], 1 + day % 28);
        let (away, home) = (JOINED[away], JOINED[home]);
        writeln!(
            text,
            "{date},451,V,{away},7,9,7,6,29,51.5,52.5,{},24\n{date},452,H,{home},7,14,7,3,31,7,9.5,-{},pk",
            100 + game % 300,
            110 + game % 300
        )
        .expect("written");
    }
    text
}

fn conversions(criterion: &mut Criterion) {
    let own = "[columns]\ngame_number = { is = \"order-in-file\" }\n";
    for (name, text, season) in
        [("nflverse", wide(30_000), None), ("sportsbookreviewsonline", sheet(50_000), Some("2021-22"))]
    {
        let preset = Preset::named(name, Some(Sport::Nfl)).expect("a preset");
        // Games of a sheet have no times; each is identified by its number here.
        let map = ColumnMap::load(Some(preset.text), season.map(|_| own)).expect("a map");
        let bytes = Bytes::from(text);
        let mut group = criterion.benchmark_group("convert");
        group.throughput(Throughput::Bytes(bytes.len() as u64)).sample_size(10);
        group.bench_function(name, |bencher| {
            let files = [InputFile { name: name.to_owned(), bytes: bytes.clone() }];
            let request = Request {
                map: &map,
                sport: Sport::Nfl,
                season: season.map(|label| Season::parse(Sport::Nfl, label).expect("a season")),
                postseason: season.map(|_| Postseason::Absent),
                selection: GameSelection::History,
                public: false,
                run: None,
                now: "2026-11-23T12:00:00Z".parse().expect("an instant"),
            };
            bencher.iter(|| convert(black_box(&request), black_box(&files)).expect("a conversion").files.len());
        });
        group.finish();
    }
}

criterion_group!(benches, conversions);
criterion_main!(benches);
