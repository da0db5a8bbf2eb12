//! Commands that the docs show together with their output.

use std::sync::LazyLock;

use regex_lite::Regex;

/// A command as a reader types it, and its output on the page.
pub struct Sample {
    pub command: String,
    pub printed: String,
}

/// Returns the blocks of code in a text, in order: the kind of each, and its content.
pub fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("\n```").skip(1).step_by(2).map(|block| block.split_once('\n').expect("a block begins with its kind"))
}

/// Returns the samples of the `console` blocks in a text, in order.
pub fn samples(text: &str) -> Vec<Sample> {
    blocks(text).filter(|(kind, _)| *kind == "console").flat_map(|(_, block)| samples_of(block)).collect()
}

/// Returns the samples of one block. A command continues in the next line after a backslash.
pub fn samples_of(block: &str) -> Vec<Sample> {
    let sample = |text: &str| {
        let end = text.match_indices('\n').map(|(at, _)| at).find(|at| !text[..*at].ends_with('\\'));
        let (command, printed) = text.split_at(end.unwrap_or(text.len()));
        Sample { command: command.to_owned(), printed: printed.to_owned() }
    };
    // A prompt begins a line.
    block.strip_prefix("$ ").expect("a prompt").split("\n$ ").map(sample).collect()
}

/// Patterns of texts that differ between runs, with their replacements in a comparison: names of releases, instants
/// of the machine's clock, hashes and drawn identifiers.
static OF_ONE_RUN: LazyLock<Vec<(Regex, &str)>> = LazyLock::new(|| {
    [
        (r"[0-9]{8}T[0-9]{9}Z\.[0-9a-f]{12}", "RELEASE"),
        (r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}\.[0-9]+Z", "INSTANT"),
        (r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{8}Z", "INSTANT"),
        (r"cus_[0-9a-z]{16}", "CUSTOMER"),
        (r"sk_service_[0-9A-Za-z]{4,}", "KEY"),
        (r#""latency_ms":[0-9.]+"#, "LATENCY"),
        // Not the decimals of a number.
        (r"([^0-9.])[0-9a-f]{12,64}\b", "${1}HASH"),
    ]
    .map(|(pattern, word)| (Regex::new(pattern).expect("a pattern"), word))
    .into()
});

fn without_breaks(text: &str) -> String {
    text.split_whitespace().collect()
}

/// Replaces the parts of a text that differ between runs, and removes line breaks.
fn lasting(text: &str) -> String {
    let text = OF_ONE_RUN
        .iter()
        .fold(text.to_owned(), |text, (of_one_run, word)| of_one_run.replace_all(&text, *word).into_owned());
    without_breaks(&text)
}

/// Returns whether the output of a command matches the page: `…` stands for any text, line breaks do not count, and
/// the parts that differ between runs may differ.
pub fn matches_sample(printed: &str, shown: &str) -> bool {
    let same = |(printed, shown): (String, String)| is_shown(&printed, &shown);
    same((without_breaks(printed), without_breaks(shown))) || same((lasting(printed), lasting(shown)))
}

fn is_shown(printed: &str, shown: &str) -> bool {
    let mut pieces = shown.split('…');
    let Some(mut rest) = pieces.next().and_then(|beginning| printed.strip_prefix(beginning)) else { return false };
    let Some(end) = pieces.next_back() else { return rest.is_empty() };
    for piece in pieces {
        let Some((_, after)) = rest.split_once(piece) else { return false };
        rest = after;
    }
    rest.ends_with(end)
}

#[test]
fn an_answer_matches_if_it_differs_only_in_omitted_parts() {
    for (printed, shown, is_so) in [
        ("{\"a\":1}\n", "{\"a\":1}", true),
        ("{\"a\":1}", "{\"a\":2}", false),
        ("{\"a\":1,\"b\":2}", "{\"a\":…,\n\"b\":2}", true),
        ("{\"a\":1,\"b\":3}", "{\"a\":…,\"b\":2}", false),
        ("[1,2,3]", "[1,…]", true),
        ("[2,3]", "[1,…]", false),
        ("[1,2,3] and more", "[1,…]", false),
        ("a b", "a b c", false),
        ("at 2026-11-21T08:45:14.290Z", "at 2026-11-22T09:00:00.1Z", true),
        ("at 2026-11-21T08:45:14Z", "at 2026-11-22T09:00:00Z", false),
        ("head 10d4dfb0dcfe", "head 5bd5f6c8af34…", true),
        ("0.504646624227", "0.504646624228", false),
    ] {
        assert_eq!(matches_sample(printed, shown), is_so, "{printed} as {shown}");
    }
}
