//! The help of the program: its commands in groups, and examples.

use clap::builder::StyledStr;
use clap::{Command, CommandFactory};

use super::Cli;

/// The commands by their purpose, in the order of the help.
const GROUPS: [(&str, &[&str]); 4] = [
    ("Publish", &["init", "publish", "settle", "watch", "receive", "publisher", "convert", "template", "models"]),
    ("Look", &["status", "releases", "games", "history", "known", "backtest", "verify", "record"]),
    ("Sell", &["customer", "key", "dataset", "entitlement"]),
    ("Operate", &["migrate", "backup", "restore", "repair", "store", "accounts", "audit-log", "completions", "man"]),
];

/// Examples of the commands that are used most, below their options.
const EXAMPLES: [(&str, &[&str]); 16] = [
    (
        "init",
        &[
            "sportsctl init sports",
            "sportsctl init sports --yes --sport nfl --preset nflverse --model ELO:won_on_points=elo --address sports.example.com",
        ],
    ),
    (
        "publish",
        &[
            "sportsctl publish my-release --dry-run",
            "sportsctl publish my-release",
            "sportsctl publish my-release --strict --json",
            "sportsctl publish --from games.csv --sport nfl --preset nflverse --model ELO:won_on_points=elo --slate",
        ],
    ),
    ("settle", &["sportsctl settle nfl finals.csv", "sportsctl settle nfl finals.csv --correct"]),
    ("watch", &["sportsctl watch inbox", "sportsctl watch inbox --once"]),
    ("receive", &["sportsctl receive", "sportsctl receive --bind 127.0.0.1:8090"]),
    (
        "publisher",
        &[
            "sportsctl publisher token create --league nfl --name colab --expires 90d",
            "sportsctl publisher token list",
            "sportsctl publisher log",
        ],
    ),
    ("convert", &["sportsctl convert csv games.csv --preset nflverse --out my-release"]),
    ("template", &["sportsctl template games", "sportsctl template predictions --model MINE --csv"]),
    ("status", &["sportsctl status", "sportsctl status nfl --json"]),
    ("releases", &["sportsctl releases nfl --limit 5", "sportsctl releases nfl --at 2025-12-21T18:00:00Z"]),
    ("games", &["sportsctl games nfl --awaiting", "sportsctl games nfl --season 2025-26"]),
    (
        "backtest",
        &[
            "sportsctl backtest nfl won_on_points --min-edge 0.03 --side underdog",
            "sportsctl backtest nfl won_on_spread --season all --bet pick --tried 12 --out bets.csv",
        ],
    ),
    ("verify", &["sportsctl verify", "sportsctl verify nfl --unused"]),
    ("customer", &["sportsctl customer create --email ann@example.com --name Ann", "sportsctl customer list"]),
    (
        "key",
        &[
            "sportsctl key issue --customer cus_v1vasdk1d8s9c0dr --name notebook",
            "sportsctl key list --expiring 14d",
            "sportsctl key revoke --customer cus_v1vasdk1d8s9c0dr --all --since 2025-12-21T18:00:00Z",
        ],
    ),
    ("backup", &["sportsctl backup /var/backups/sports-2025-12-21"]),
];

/// Returns the command line, whose help has groups and examples.
pub fn command() -> Command {
    let plain = Cli::command();
    let groups = listed(&plain);
    let template = format!(
        "{{before-help}}{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}\n\nOptions:\n{{options}}{{after-help}}"
    );
    EXAMPLES.iter().fold(plain.help_template(template), |command, (name, lines)| {
        command.mut_subcommand(name, |command| command.after_help(examples(lines)))
    })
}

/// Lists the commands of each group with what they do.
fn listed(command: &Command) -> String {
    let widest = command.get_subcommands().map(|one| one.get_name().len()).max().unwrap_or_default();
    let about = |name: &str| command.find_subcommand(name).and_then(Command::get_about).map(StyledStr::to_string);
    let mut lines = Vec::new();
    for (group, names) in GROUPS {
        lines.push(format!("{group}:"));
        lines.extend(names.iter().map(|name| format!("  {name:<widest$}  {}", about(name).unwrap_or_default())));
        lines.push(String::new());
    }
    lines.push(format!("  {:<widest$}  Print this message or the help of a command", "help"));
    lines.join("\n")
}

fn examples(lines: &[&str]) -> String {
    lines.iter().fold("Examples:".to_owned(), |text, line| text + "\n  " + line)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::Parser;

    use super::*;

    #[test]
    fn every_command_is_in_one_group() {
        let listed: Vec<_> = GROUPS.iter().flat_map(|(_, names)| *names).copied().collect();
        let distinct: BTreeSet<_> = listed.iter().copied().collect();
        let command = Cli::command();
        let commands: BTreeSet<_> = command.get_subcommands().map(Command::get_name).collect();
        assert_eq!(distinct, commands);
        assert_eq!(listed.len(), commands.len());
    }

    #[test]
    fn every_example_is_accepted() {
        for (name, lines) in EXAMPLES {
            for line in lines {
                let words: Vec<_> = line.split(' ').collect();
                assert_eq!(words[1], name, "{line}");
                assert!(Cli::try_parse_from(&words).is_ok(), "{line}");
            }
        }
    }

    #[test]
    fn the_help_names_groups_and_commands_and_that_of_a_command_its_examples() {
        let help = command().render_help().to_string();
        for (group, names) in GROUPS {
            assert!(help.contains(&format!("\n{group}:\n  {} ", names[0])), "{help}");
        }
        assert!(help.contains("\nOptions:\n") && help.contains("--json"), "{help}");
        let publish = command().find_subcommand_mut("publish").expect("a command").render_help().to_string();
        assert!(publish.contains("Examples:\n  sportsctl publish my-release --dry-run\n"), "{publish}");
    }
}
