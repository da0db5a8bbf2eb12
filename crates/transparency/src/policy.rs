use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::str::FromStr;

use sports_domain::FormError;

use crate::{KeyKind, VerifierKey};

/// The voices that have to agree. A voice is a witness or a timestamp authority, known by its place in a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Quorum {
    /// This number of voices, whichever they are.
    Any(NonZeroUsize),
    /// One voice.
    Voice(usize),
    /// This number of members.
    Of(NonZeroUsize, Vec<Self>),
}

impl Quorum {
    /// Returns the quorum that needs each of these members.
    pub fn all(members: Vec<Self>) -> Self {
        Self::Of(NonZeroUsize::new(members.len()).unwrap_or(NonZeroUsize::MIN), members)
    }

    /// Returns the time at which the voices with these times are a quorum; `None` if they are none.
    pub fn time(&self, voices: &BTreeMap<usize, u64>) -> Option<u64> {
        let (needed, mut times): (_, Vec<_>) = match self {
            Self::Voice(voice) => return voices.get(voice).copied(),
            Self::Any(needed) => (needed, voices.values().copied().collect()),
            Self::Of(needed, members) => (needed, members.iter().filter_map(|member| member.time(voices)).collect()),
        };
        times.sort_unstable();
        times.get(needed.get() - 1).copied()
    }
}

/// A trust policy in the form of C2SP tlog-policy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Policy {
    /// The logs that are trusted; any log if there is none.
    pub logs: Vec<VerifierKey>,
    /// The witnesses. The place of each is its voice in the quorum.
    pub witnesses: Vec<VerifierKey>,
    /// The witnesses that have to cosign; `None` if none has to.
    pub quorum: Option<Quorum>,
}

impl FromStr for Policy {
    type Err = FormError;

    fn from_str(text: &str) -> Result<Self, FormError> {
        let (mut policy, mut names, mut quorum) = (Self::empty(), Names::default(), None);
        for (number, line) in text.split('\n').enumerate() {
            let words: Vec<_> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
            if words.first().is_none_or(|word| word.starts_with('#')) {
                continue;
            }
            let read = if let ["quorum", name] = words[..] {
                names.get(name).map(|found| quorum.replace(found)).and_then(|before| match before {
                    None => Ok(()),
                    Some(_) => Err("the quorum is named twice".to_owned()),
                })
            } else {
                policy.read(&words, &mut names)
            };
            read.map_err(|reason| FormError::new(format!("line {} of the policy: {reason}", number + 1)))?;
        }
        policy.quorum = quorum.ok_or(FormError::fixed("the policy has no line `quorum NAME`"))?;
        Ok(policy)
    }
}

impl Policy {
    const fn empty() -> Self {
        Self { logs: Vec::new(), witnesses: Vec::new(), quorum: None }
    }

    /// Reads a line but that of the quorum; the error is a reason.
    fn read<'l>(&mut self, words: &[&'l str], names: &mut Names<'l>) -> Result<(), String> {
        match *words {
            ["log", vkey] | ["log", vkey, _] => add(&mut self.logs, vkey, |kind| kind == KeyKind::Log, "a log"),
            ["witness", name, vkey] | ["witness", name, vkey, _] => {
                names.define(name, Quorum::Voice(self.witnesses.len()))?;
                add(&mut self.witnesses, vkey, KeyKind::is_witness, "a witness")
            }
            ["group", name, needed, ref members @ ..] if !members.is_empty() => {
                let needed = match needed {
                    "any" => Some(NonZeroUsize::MIN),
                    "all" => NonZeroUsize::new(members.len()),
                    number => number.parse().ok().filter(|needed: &NonZeroUsize| needed.get() <= members.len()),
                };
                let count = members.len();
                let needed = needed.ok_or_else(|| format!("expected any, all or a number from 1 to {count}"))?;
                let members = members.iter().map(|member| names.take(member)).collect::<Result<_, _>>()?;
                names.define(name, Quorum::Of(needed, members))
            }
            _ => {
                Err("expected `log VKEY`, `witness NAME VKEY`, `group NAME all|any|N NAME…` or `quorum NAME`"
                    .to_owned())
            }
        }
    }
}

/// Adds a key of a kind to a list that has it once.
fn add(keys: &mut Vec<VerifierKey>, vkey: &str, is_kind: fn(KeyKind) -> bool, kind: &str) -> Result<(), String> {
    let key: VerifierKey = vkey.parse().map_err(|error: FormError| error.to_string())?;
    if !is_kind(key.kind()) {
        return Err(format!("the key of {} is not one of {kind}", key.name()));
    }
    if keys.iter().any(|known| known.public() == key.public()) {
        return Err(format!("the key of {} is named twice", key.name()));
    }
    keys.push(key);
    Ok(())
}

/// The witnesses and groups that the lines so far define.
#[derive(Default)]
struct Names<'l>(BTreeMap<&'l str, (Quorum, bool)>);

impl<'l> Names<'l> {
    /// The name of no witness.
    const NONE: &'static str = "none";

    fn define(&mut self, name: &'l str, quorum: Quorum) -> Result<(), String> {
        let is_new = name != Self::NONE && self.0.insert(name, (quorum, false)).is_none();
        if is_new { Ok(()) } else { Err(format!("`{name}` is defined already")) }
    }

    /// Returns what a name stands for.
    fn get(&self, name: &str) -> Result<Option<Quorum>, String> {
        match self.0.get(name) {
            Some((quorum, _)) => Ok(Some(quorum.clone())),
            None if name == Self::NONE => Ok(None),
            None => Err(format!("`{name}` is unknown: define it on a line before")),
        }
    }

    /// Returns a member of a group. A witness must not count twice, so no name is a member twice.
    fn take(&mut self, name: &str) -> Result<Quorum, String> {
        match self.0.get_mut(name) {
            Some((quorum, is_member @ false)) => {
                *is_member = true;
                Ok(quorum.clone())
            }
            Some(_) => Err(format!("`{name}` is a member of two groups, or twice of one")),
            None => Err(format!("`{name}` is unknown: define it on a line before")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const W1: &str = "witness.example/1+ca4e34b1+BFhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm";
    const LOG: &str = "example.com/nfl+789ed626+AVhmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZmZm";

    #[test]
    fn groups_of_groups_agree_when_enough_members_do() {
        let of = |needed, members: &[Quorum]| Quorum::Of(NonZeroUsize::new(needed).expect("some"), members.to_vec());
        let [a, b, c, d] = [0, 1, 2, 3].map(Quorum::Voice);
        let quorum = Quorum::all(vec![of(2, &[a, b, c]), of(1, &[d])]);
        let time = |voices: &[(usize, u64)]| quorum.time(&voices.iter().copied().collect());
        assert_eq!(time(&[(0, 10), (1, 30), (2, 20), (3, 5)]), Some(20));
        assert_eq!(time(&[(0, 10), (1, 30), (3, 40)]), Some(40));
        assert_eq!(time(&[(0, 10), (1, 30), (2, 20)]), None, "the second group is silent");
        assert_eq!(time(&[(0, 10), (3, 5)]), None, "one of two");
    }

    #[test]
    fn a_policy_has_logs_witnesses_and_one_quorum() {
        let text = format!("# ours\n\nlog {LOG} https://example.com\n\twitness  W1 {W1}\ngroup G any W1\nquorum G\n");
        let policy: Policy = text.parse().expect("a policy");
        assert_eq!((policy.logs.len(), policy.witnesses.len()), (1, 1));
        assert_eq!(policy.quorum, Some(Quorum::Of(NonZeroUsize::MIN, vec![Quorum::Voice(0)])));
        assert_eq!("quorum none".parse::<Policy>().map(|policy| policy.quorum), Ok(None));
        for (text, reason) in [
            (String::new(), "no line `quorum NAME`"),
            ("quorum W1".to_owned(), "line 1 of the policy: `W1` is unknown"),
            ("quorum none\nquorum none".to_owned(), "line 2 of the policy: the quorum is named twice"),
            (format!("witness W1 {LOG}"), "is not one of a witness"),
            (format!("log {W1}"), "is not one of a log"),
            (format!("witness W1 {W1}\nwitness W2 {W1}"), "is named twice"),
            (format!("witness none {W1}"), "defined already"),
            (format!("witness W1 {W1}\ngroup W1 all W1"), "defined already"),
            (format!("witness W1 {W1}\ngroup G 2 W1"), "from 1 to 1"),
            (format!("witness W1 {W1}\ngroup G 0 W1"), "from 1 to 1"),
            (format!("witness W1 {W1}\ngroup G all W1 W1"), "twice of one"),
            ("group G all none".to_owned(), "`none` is unknown"),
            ("witness W1 a+00000000+AAAA".to_owned(), "the id 00000000"),
            ("quorums none".to_owned(), "expected `log VKEY`"),
        ] {
            let refused = text.parse::<Policy>().expect_err(&text).to_string();
            assert!(refused.contains(reason), "{text}: {refused}");
        }
    }
}
