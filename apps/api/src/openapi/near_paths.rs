//! The operation that a wrong path is nearest to.

use crate::near::typos;

/// The most segments of a path that is compared. A comparison takes time, and callers without a key can ask for any path.
const MOST_SEGMENTS: usize = 12;

/// The most that a path may differ from an operation.
const MOST: usize = 5;

/// The beginning of every operation, which callers leave out or write wrong.
const PREFIX: [&str; 2] = ["api", "v1"];

/// Returns the path of the template that a path is nearest to, with the path's own values, and how much they differ. Variables
/// that the path lacks stay as they are in the template. Returns `None` if the path has no word of the template.
pub(super) fn near(template: &str, path: &str) -> Option<(usize, String)> {
    let wanted: Vec<_> = segments(template).collect();
    let given: Vec<_> = segments(path).take(MOST_SEGMENTS + 1).collect();
    if given.len() > MOST_SEGMENTS || !wanted.iter().any(|wanted| is_word_of(wanted, &given)) {
        return None;
    }
    let (cost, meant) = aligned(&wanted, &given)?;
    (cost <= MOST).then(|| (cost, format!("/{}", meant.join("/"))))
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

fn is_variable(segment: &str) -> bool {
    segment.starts_with('{')
}

fn is_word_of(wanted: &str, given: &[&str]) -> bool {
    !is_variable(wanted) && !PREFIX.contains(&wanted) && given.iter().any(|given| typos(given, wanted).is_some())
}

/// Returns the cheapest way to make the given segments the wanted ones, and the result.
fn aligned<'a>(wanted: &[&'a str], given: &[&'a str]) -> Option<(usize, Vec<&'a str>)> {
    // The ways to make the given segments so far the wanted ones up to each place.
    let mut ways: Vec<Option<(usize, Vec<&'a str>)>> = vec![Some((0, Vec::new()))];
    for (place, wanted) in wanted.iter().enumerate() {
        let way = ways[place].as_ref().map(|way| added(way, missing(wanted), wanted));
        ways.push(way);
    }
    for given in given {
        let mut next = vec![ways[0].as_ref().map(|(cost, meant)| (cost + SURPLUS, meant.clone()))];
        for (place, wanted) in wanted.iter().enumerate() {
            let replaced = ways[place].as_ref().and_then(|way| {
                let (cost, segment) = replaced(wanted, given)?;
                Some(added(way, cost, segment))
            });
            let surplus = ways[place + 1].as_ref().map(|(cost, meant)| (cost + SURPLUS, meant.clone()));
            let left_out = next[place].as_ref().map(|way| added(way, missing(wanted), wanted));
            next.push([left_out, surplus, replaced].into_iter().flatten().min_by_key(|(cost, _)| *cost));
        }
        ways = next;
    }
    ways.pop().flatten()
}

fn added<'a>((cost, meant): &(usize, Vec<&'a str>), more: usize, segment: &'a str) -> (usize, Vec<&'a str>) {
    let mut meant = meant.clone();
    meant.push(segment);
    (cost + more, meant)
}

/// The cost of a segment that the operation does not have.
const SURPLUS: usize = 4;

/// Returns the cost of a segment that the path lacks.
fn missing(wanted: &str) -> usize {
    match wanted {
        _ if PREFIX.contains(&wanted) => 1,
        _ if is_variable(wanted) => 2,
        _ => SURPLUS,
    }
}

/// Returns the cost of a segment in place of the wanted one, and the segment that is meant.
fn replaced<'a>(wanted: &'a str, given: &'a str) -> Option<(usize, &'a str)> {
    if is_variable(wanted) {
        return Some((0, given));
    }
    let cost = if wanted == given { 0 } else { typos(given, wanted)? + 1 };
    Some((cost, wanted))
}
