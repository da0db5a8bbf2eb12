use std::fs;
use std::os::unix::fs::symlink;

use crate::folder::Folder;

#[test]
fn a_link_inside_a_release_is_refused_by_name_and_not_followed() {
    let secret = tempfile::tempdir().expect("a folder");
    let row = "date,time_est,away_team,home_team\n2024-09-08,13:00:00,a,b\n";
    fs::create_dir_all(secret.path().join("won_on_points")).expect("made");
    for file in ["table.csv", "2024-25.csv", "won_on_points/2024-25.csv"] {
        fs::write(secret.path().join(file), row).expect("written");
    }
    let sentence = "expected a file or a folder of its own: links in a release folder are not followed";
    for (link, target) in [
        ("games/2024-25.csv", "table.csv"),
        ("odds.csv", "table.csv"),
        ("odds.csv", "nothing"),
        ("games", ""),
        ("predictions", ""),
        ("results", ""),
        ("results/won_on_points", "won_on_points"),
        ("results/won_on_points/2024-25.csv", "table.csv"),
        ("release.json", "table.csv"),
    ] {
        let release = Folder::for_sport("nfl");
        let path = release.path().join(link);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        drop(fs::remove_file(&path));
        symlink(secret.path().join(target), &path).expect("linked");
        assert_eq!(release.sentences(), [format!("{link}: {sentence}")], "{link}");
    }
}

#[test]
fn a_release_folder_may_itself_be_named_by_a_link() {
    let release = Folder::for_sport("nfl");
    let place = tempfile::tempdir().expect("a folder");
    let link = place.path().join("link");
    symlink(release.path(), &link).expect("linked");
    let now = "2024-09-10T12:00:00Z".parse().expect("an instant");
    assert_eq!(sports_publisher_files::read(&link, now).expect("read").release.sport.code(), "nfl");
}
