use chrono::TimeDelta;
use sports_accounts::testing::{a_dataset, second};
use sports_accounts::{Dataset, FileName, Product};
use sports_domain::Sport;
use sports_ports::datasets::Datasets;

async fn add(records: &impl Datasets, dataset: &Dataset) -> Option<Dataset> {
    records.add_dataset(dataset).await.expect("add_dataset answers")
}

async fn all(records: &impl Datasets) -> Vec<Dataset> {
    records.datasets().await.expect("datasets answers")
}

fn product(name: &str) -> Product {
    name.parse().expect("a product")
}

/// Checks that every league and every microsecond is kept.
pub async fn an_added_dataset_is_listed_as_it_was(records: &impl Datasets) {
    assert_eq!(all(records).await, []);
    let added = Sport::ALL.map(|sport| {
        let at = second(1) + TimeDelta::microseconds(123_456);
        a_dataset().of_product("odds", sport).called("all.csv.gz").holding(sport.code().as_bytes(), at).build()
    });
    for dataset in &added {
        assert_eq!(add(records, dataset).await, None);
    }
    assert_eq!(all(records).await, added);
}

/// Checks that the order of the list does not depend on the order of additions.
pub async fn datasets_are_listed_by_product_league_and_name(records: &impl Datasets) {
    let in_order = [
        a_dataset().of_product("archive", Sport::Nfl).called("z.csv").build(),
        a_dataset().of_product("odds", Sport::Mlb).called("b.csv").build(),
        a_dataset().of_product("odds", Sport::Nba).called("a.csv").build(),
        a_dataset().of_product("odds", Sport::Ncaab).called("A.csv").build(),
        a_dataset().of_product("odds", Sport::Ncaab).called("a.csv").build(),
    ];
    for place in [3, 1, 4, 0, 2] {
        add(records, &in_order[place]).await;
    }
    assert_eq!(all(records).await, in_order);
}

/// Checks that the new content replaces the old, which is returned.
pub async fn a_dataset_replaces_its_namesake(records: &impl Datasets) {
    let old = a_dataset().holding(b"old", second(1)).build();
    let other = a_dataset().called("other.csv").holding(b"old", second(1)).build();
    let new = a_dataset().holding(b"newer", second(2)).build();
    for dataset in [&old, &other] {
        assert_eq!(add(records, dataset).await, None);
    }
    assert_eq!(add(records, &new).await, Some(old));
    assert_eq!(all(records).await, [new, other]);
}

/// Checks that a removal selects one file by its name, or all datasets of a product and league.
pub async fn a_removed_dataset_is_gone_and_no_other(records: &impl Datasets) {
    let [one, two, other_league, other_product] = [
        a_dataset().of_product("odds", Sport::Nfl).called("1.csv").build(),
        a_dataset().of_product("odds", Sport::Nfl).called("2.csv").build(),
        a_dataset().of_product("odds", Sport::Nba).called("1.csv").build(),
        a_dataset().of_product("archive", Sport::Nfl).called("1.csv").build(),
    ];
    for dataset in [&one, &two, &other_league, &other_product] {
        add(records, dataset).await;
    }
    let remove = async |sport, file_name: Option<&str>| {
        let file_name = file_name.map(|name| name.parse::<FileName>().expect("a name"));
        records.remove_dataset(&product("odds"), sport, file_name.as_ref()).await.expect("remove_dataset answers")
    };
    assert_eq!(remove(Sport::Nfl, Some("3.csv")).await, []);
    assert_eq!(remove(Sport::Nfl, Some("1.csv")).await.as_slice(), std::slice::from_ref(&one));
    assert_eq!(remove(Sport::Nfl, Some("1.csv")).await, [], "it is gone");
    assert_eq!(all(records).await, [other_product.clone(), other_league.clone(), two.clone()]);
    add(records, &one).await;
    assert_eq!(remove(Sport::Nfl, None).await, [one, two]);
    assert_eq!(remove(Sport::Mlb, None).await, []);
    assert_eq!(all(records).await, [other_product, other_league]);
}
