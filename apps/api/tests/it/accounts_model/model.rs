//! A plain model of the expected behaviour.

use std::collections::HashMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Value, json};
use sports_accounts::KeyRecord;

/// A request of a customer. Numbers choose among all keys that were ever issued.
#[derive(Debug, Clone)]
pub enum Called {
    Create(String),
    Revoke(usize, Form),
    Rename(usize, Form, String),
    List,
    Refresh,
    Leagues,
    Status,
    Usage,
}

/// The form in which a request names a key.
#[derive(Debug, Clone, Copy)]
pub enum Form {
    Full,
    Masked,
    EncodedMask,
    Mistyped,
}

/// A complete answer.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub remaining: Option<u64>,
    pub body: Value,
}

struct Key {
    text: String,
    name: String,
    created: DateTime<Utc>,
    expires: Option<DateTime<Utc>>,
    revoked: bool,
}

#[derive(Default)]
struct Account {
    keys: Vec<Key>,
    lapsed: bool,
    entitled: bool,
    refreshes: HashMap<String, u32>,
    calls: HashMap<String, u64>,
}

/// Two customers and the effects of all their requests.
pub struct Model {
    monthly: u64,
    accounts: [Account; 2],
    texts: Vec<String>,
}

fn month(now: DateTime<Utc>) -> String {
    now.format("%Y-%m").to_string()
}

fn masked(text: &str) -> String {
    format!("{}*****", &text[..15])
}

impl Key {
    fn is_active(&self, now: DateTime<Utc>) -> bool {
        !self.revoked && self.expires.is_none_or(|end| now < end)
    }
}

impl Account {
    fn active(&self, now: DateTime<Utc>) -> usize {
        self.keys.iter().filter(|key| key.is_active(now)).count()
    }

    /// Returns the positions of the active keys that a name matches.
    fn keys_named(&self, named: &str, now: DateTime<Utc>) -> Vec<usize> {
        let named = named.replace("%2A", "*");
        let fits = |key: &Key| key.is_active(now) && (key.text == named || masked(&key.text) == named);
        (0..self.keys.len()).filter(|place| fits(&self.keys[*place])).collect()
    }
}

impl Model {
    pub fn new(monthly: u64) -> Self {
        Self { monthly, accounts: <[Account; 2]>::default(), texts: Vec::new() }
    }

    /// Issues a key; returns false if the limit of keys prevents it.
    pub fn issue(
        &mut self,
        customer: usize,
        text: &str,
        name: &str,
        (now, expires): (DateTime<Utc>, Option<DateTime<Utc>>),
    ) -> bool {
        let account = &mut self.accounts[customer];
        if account.active(now) == 25 {
            return false;
        }
        account.keys.push(Key { text: text.to_owned(), name: name.to_owned(), created: now, expires, revoked: false });
        self.texts.push(text.to_owned());
        true
    }

    pub fn change_plan(&mut self, customer: usize, subscribed: bool) {
        self.accounts[customer].lapsed = !subscribed;
    }

    pub fn entitle(&mut self, customer: usize, held: bool) {
        self.accounts[customer].entitled = held;
    }

    /// Returns the key of a number.
    pub fn key(&self, number: usize) -> String {
        self.texts[number % self.texts.len()].clone()
    }

    /// Returns the name by which a request names its key.
    pub fn named(&self, called: &Called) -> String {
        let (Called::Revoke(number, form) | Called::Rename(number, form, _)) = called else { return String::new() };
        let text = self.key(*number);
        match form {
            Form::Full => text,
            // Only paths are decoded.
            Form::EncodedMask if matches!(called, Called::Revoke(..)) => masked(&text).replace('*', "%2A"),
            Form::Masked | Form::EncodedMask => masked(&text),
            Form::Mistyped => text.replace("sk_service_", "sk_service_0"),
        }
    }

    /// Asserts that the answer to a request is the expected one, and applies the effects.
    pub fn check(&mut self, shown: &str, called: &Called, named: &str, answer: &Answer, now: DateTime<Utc>) {
        let holder = self.accounts.iter().position(|account| account.keys.iter().any(|key| key.text == shown));
        let customer = holder.expect("every key is somebody's");
        let account = &self.accounts[customer];
        let used = account.calls.get(&month(now)).copied().unwrap_or_default();
        let works = account.keys.iter().any(|key| key.text == shown && key.is_active(now));
        let (is_open, is_free) =
            (matches!(called, Called::Usage), !matches!(called, Called::Refresh | Called::Leagues));
        let (status, remaining) = match () {
            () if !works => (401, None),
            () if account.lapsed && !is_open => (403, Some(0)),
            () if !account.lapsed && !is_free && used >= self.monthly => (429, Some(0)),
            () => {
                let status = self.answer(customer, (shown, called, named), (answer, used), now);
                let counts = status == 200 && !is_free;
                let account = &mut self.accounts[customer];
                let used = used + u64::from(counts);
                account.calls.insert(month(now), used);
                (status, Some(if account.lapsed { 0 } else { self.monthly.saturating_sub(used) }))
            }
        };
        assert_eq!((answer.status, answer.remaining), (status, remaining), "{called:?} of {customer}: {answer:?}");
    }

    /// Returns the status of an admitted call, with its effects, after so many counted calls of its month.
    fn answer(
        &mut self,
        customer: usize,
        (shown, called, named): (&str, &Called, &str),
        (answer, used): (&Answer, u64),
        now: DateTime<Utc>,
    ) -> u16 {
        match called {
            Called::Create(name) => self.created(customer, (shown, name), answer, now),
            Called::Revoke(..) => match self.accounts[customer].keys_named(named, now)[..] {
                [] => 404,
                [one] if self.accounts[customer].keys[one].text == shown => 400,
                [one] => {
                    self.accounts[customer].keys[one].revoked = true;
                    200
                }
                _ => 400,
            },
            Called::Rename(_, _, name) => match self.accounts[customer].keys_named(named, now)[..] {
                [] => 404,
                [one] => {
                    self.accounts[customer].keys[one].name.clone_from(name);
                    200
                }
                _ => 400,
            },
            Called::List => self.listed(customer, answer, now),
            Called::Leagues => 200,
            Called::Refresh => self.refreshed(customer, answer, now),
            Called::Status => {
                let account = &self.accounts[customer];
                let taken = account.refreshes.get(&month(now)).copied().unwrap_or_default();
                let answered = ["has_service_sports_data", "refreshes_used", "refreshes_remaining"]
                    .map(|field| &answer.body[field]);
                assert_eq!(answered, [&json!(account.entitled), &json!(taken), &json!(8 - taken)]);
                200
            }
            Called::Usage => {
                assert_eq!(answer.body["monthly_requests"], used);
                200
            }
        }
    }

    /// Issues a key that expires with the one of the call.
    fn created(&mut self, customer: usize, (shown, name): (&str, &str), answer: &Answer, now: DateTime<Utc>) -> u16 {
        if name.is_empty() || self.accounts[customer].active(now) == 25 {
            return 400;
        }
        let is_of_this_minute = |key: &&Key| key.created > now - TimeDelta::minutes(1) && key.created <= now;
        if self.accounts[customer].keys.iter().filter(is_of_this_minute).count() >= 10 {
            return 429;
        }
        let text = answer.body["api_key"].as_str().expect("a new key is in the answer").to_owned();
        assert!(!self.texts.contains(&text), "a key like no other");
        let maker = self.accounts[customer].keys.iter().find(|key| key.text == shown).expect("the key of the call");
        let expires = maker.expires;
        assert!(self.issue(customer, &text, name, (now, expires)));
        200
    }

    fn listed(&self, customer: usize, answer: &Answer, now: DateTime<Utc>) -> u16 {
        let listed = answer.body.as_array().expect("a list").iter();
        let mut listed: Vec<_> =
            listed.map(|key| [&key["api_key"], &key["name"], &key["is_active"]].map(Value::to_string)).collect();
        let keys = self.accounts[customer].keys.iter();
        let mut expected: Vec<_> = keys
            .map(|key| [json!(masked(&key.text)), json!(key.name), json!(key.is_active(now))].map(|v| v.to_string()))
            .collect();
        listed.sort();
        expected.sort();
        assert_eq!(listed, expected);
        200
    }

    fn refreshed(&mut self, customer: usize, answer: &Answer, now: DateTime<Utc>) -> u16 {
        let account = &mut self.accounts[customer];
        let taken = account.refreshes.entry(month(now)).or_default();
        if !account.entitled {
            return 403;
        }
        if *taken == 8 {
            return 429;
        }
        *taken += 1;
        assert_eq!(answer.body["refreshes_remaining"], 8 - *taken, "{answer:?}");
        assert_eq!(answer.body["downloads"].as_array().map(Vec::len), Some(1));
        200
    }

    pub fn invariant_keys_on_record_are_those_of_the_model(&self, customer: usize, keys: &[KeyRecord]) {
        let mut found: Vec<_> =
            keys.iter().map(|key| (key.masked.to_string(), key.name.to_string(), key.revoked_at.is_some())).collect();
        let keys = self.accounts[customer].keys.iter();
        let mut expected: Vec<_> = keys.map(|key| (masked(&key.text), key.name.clone(), key.revoked)).collect();
        found.sort();
        expected.sort();
        assert_eq!(found, expected, "customer {customer}");
    }

    pub fn invariant_refreshes_on_record_are_those_of_the_model(
        &self,
        customer: usize,
        taken: u32,
        now: DateTime<Utc>,
    ) {
        let expected = self.accounts[customer].refreshes.get(&month(now)).copied().unwrap_or_default();
        assert_eq!(taken, expected, "customer {customer}");
    }
}
