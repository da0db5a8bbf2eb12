//! Tests of the messages to webhooks, by one process or several.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use sports_accounts::testing::{a_customer, a_webhook};
use sports_accounts::{Attempt, CustomerId, Delivery, ProcessId, Webhook, WebhookEvent};
use sports_domain::Sport;
use sports_ports::PortError;
use sports_ports::accounts::Customers;
use sports_ports::webhooks::{WebhookSender, Webhooks};
use sports_testkit::accounts::AccountsFake;
use sports_usecases::record::EntryFacts;
use sports_usecases::releases::RecentReleases;
use sports_usecases::webhooks::{LeagueNow, Messages, WebhookDeliveries};
use tokio::time::sleep;

use crate::world::{SPORT, World, games};

/// A receiver that keeps the ids of its messages, and may hang.
#[derive(Default)]
struct SenderFake {
    sent: Mutex<Vec<(String, String)>>,
    hangs: AtomicBool,
}

#[async_trait]
impl WebhookSender for SenderFake {
    async fn send(&self, webhook: &Webhook, delivery: &Delivery, at: DateTime<Utc>) -> Attempt {
        self.sent.lock().expect("no panic").push((delivery.id.clone(), delivery.payload.clone()));
        // The second seed is the receiver that hangs.
        if self.hangs.load(Ordering::Relaxed) && webhook.id == a_webhook(webhook.customer, 2).id {
            std::future::pending::<()>().await;
        }
        Attempt { at, status: Some(200), error: None }
    }
}

/// Messages that name the generation or the status.
struct Plain;

impl Messages for Plain {
    async fn release(&self, sport: Sport, entry: &EntryFacts) -> Result<String, PortError> {
        Ok(format!("{} {}", sport.code(), entry.generation))
    }

    fn status(&self, status: &str) -> String {
        status.to_owned()
    }
}

/// A service with webhooks of one customer.
struct Service {
    world: World,
    accounts: Arc<AccountsFake>,
    sender: Arc<SenderFake>,
    releases: RecentReleases,
    node: Arc<sports_usecases::record::CurrentGenerations>,
    customer: CustomerId,
    entries: usize,
}

impl Service {
    async fn with_webhooks(seeds: &[u8]) -> Self {
        let (world, accounts) = (World::new(), Arc::new(AccountsFake::new()));
        let customer = a_customer().build();
        let _ = accounts.create(&customer).await.expect("created");
        for seed in seeds {
            let webhook = Webhook { sports: [SPORT].into(), ..a_webhook(customer.id, *seed) };
            let _ = accounts.create_webhook(&webhook).await.expect("created");
        }
        let node = world.node();
        let (sender, releases) = (Arc::default(), RecentReleases::new(Arc::clone(&node)));
        Self { world, accounts, sender, releases, node, customer: customer.id, entries: 0 }
    }

    fn process(&self, seed: u8) -> Arc<WebhookDeliveries> {
        let (queue, sender, clock) = (self.accounts.clone(), self.sender.clone(), self.world.clock.clone());
        let process = Some(ProcessId::from_random([seed; 8]));
        Arc::new(WebhookDeliveries::new(queue, sender, clock, process))
    }

    async fn publish(&mut self) {
        self.entries += 1;
        let visitors: Vec<_> = (0..self.entries).map(|number| format!("team_{number}")).collect();
        self.world.clock.advance(TimeDelta::minutes(1));
        self.world.publish(games(&visitors.iter().map(String::as_str).collect::<Vec<_>>())).await;
        self.node.poll().await;
    }

    /// Queues the events of the league as it is.
    async fn follow(&self, process: &WebhookDeliveries, status: &str) {
        let current = self.node.current(SPORT).expect("read").map(|league| EntryFacts::from(&league.entry));
        let league = LeagueNow { sport: SPORT, current: current.as_ref(), status };
        process.follow(league, &self.releases, &Plain).await.expect("queued");
    }

    /// Delivers what is due, and waits until it is tried.
    async fn deliver(&self, process: &Arc<WebhookDeliveries>, messages: usize) {
        while self.sent().len() < messages {
            process.deliver().await.expect("begun");
            sleep(Duration::from_millis(1)).await;
        }
        // Nothing more is due.
        process.deliver().await.expect("begun");
        sleep(Duration::from_millis(5)).await;
    }

    fn sent(&self) -> Vec<(String, String)> {
        self.sender.sent.lock().expect("no panic").clone()
    }
}

#[tokio::test(start_paused = true)]
async fn webhooks_get_each_release_and_status_from_the_first_look_on() {
    let mut service = Service::with_webhooks(&[1]).await;
    let process = service.process(1);
    service.publish().await;
    service.follow(&process, "early").await;
    assert!(service.accounts.deliveries_of(a_webhook(service.customer, 1).id).await.expect("answers").is_empty());
    for _ in 0..3 {
        service.publish().await;
    }
    service.follow(&process, "fresh").await;
    service.follow(&process, "fresh").await;
    service.deliver(&process, 4).await;
    let mut sent: Vec<_> = service.sent().into_iter().map(|(_, payload)| payload).collect();
    sent.sort_unstable();
    assert_eq!(sent, ["fresh", "mlb 2", "mlb 3", "mlb 4"]);
    // The same status again is another event.
    service.follow(&process, "early").await;
    service.world.clock.advance(TimeDelta::seconds(1));
    service.follow(&process, "fresh").await;
    service.deliver(&process, 6).await;
    let ids: std::collections::BTreeSet<_> = service.sent().into_iter().map(|(id, _)| id).collect();
    assert_eq!(ids.len(), 6);
}

#[tokio::test(start_paused = true)]
async fn a_process_that_takes_over_queues_nothing_twice_and_leaves_nothing_out() {
    let mut service = Service::with_webhooks(&[1]).await;
    let (one, other) = (service.process(1), service.process(2));
    service.publish().await;
    assert!(one.lead().await.expect("answers") && !other.lead().await.expect("answers"));
    service.follow(&one, "fresh").await;
    service.publish().await;
    service.follow(&one, "fresh").await;
    // The first one is killed: its term ends by itself.
    service.world.clock.advance(TimeDelta::seconds(30));
    assert!(other.lead().await.expect("answers") && !one.lead().await.expect("answers"));
    service.publish().await;
    service.follow(&other, "fresh").await;
    // The first one does not know that it is over.
    service.publish().await;
    service.follow(&one, "fresh").await;
    service.follow(&other, "fresh").await;
    service.deliver(&other, 3).await;
    let mut by_payload = BTreeMap::<_, Vec<_>>::new();
    for (id, payload) in service.sent() {
        by_payload.entry(payload).or_default().push(id);
    }
    assert_eq!(by_payload.keys().collect::<Vec<_>>(), ["mlb 2", "mlb 3", "mlb 4"]);
    assert!(by_payload.values().all(|ids| ids.len() == 1), "{by_payload:?}");
    other.end().await;
    assert!(one.lead().await.expect("answers"), "at once");
}

#[tokio::test(start_paused = true)]
async fn a_receiver_that_hangs_holds_up_no_other() {
    let mut service = Service::with_webhooks(&[1, 2]).await;
    let process = service.process(1);
    service.sender.hangs.store(true, Ordering::Relaxed);
    service.publish().await;
    service.follow(&process, "fresh").await;
    for _ in 0..5 {
        service.publish().await;
    }
    service.follow(&process, "fresh").await;
    // Five of the one, and the first of the other.
    service.deliver(&process, 6).await;
    let of = |seed: u8| service.accounts.deliveries_of(a_webhook(service.customer, seed).id);
    let (one, other) = (of(1).await.expect("answers"), of(2).await.expect("answers"));
    assert!(one.iter().all(|delivery| delivery.next_at.is_none() && delivery.event == WebhookEvent::Release));
    assert!(other.iter().all(|delivery| delivery.next_at.is_some()));
}

#[tokio::test(start_paused = true)]
async fn a_message_is_sent_once_while_its_outcome_cannot_be_recorded() {
    let mut service = Service::with_webhooks(&[1]).await;
    let process = service.process(1);
    service.publish().await;
    service.follow(&process, "fresh").await;
    service.publish().await;
    service.follow(&process, "fresh").await;
    process.deliver().await.expect("begun");
    service.accounts.become_unavailable();
    sleep(Duration::from_mins(10)).await;
    service.accounts.come_back();
    process.deliver().await.expect("nothing is due");
    sleep(Duration::from_mins(2)).await;
    process.deliver().await.expect("nothing is due");
    assert_eq!(service.sent().len(), 1);
    let delivery = &service.accounts.deliveries_of(a_webhook(service.customer, 1).id).await.expect("answers")[0];
    assert_eq!((delivery.attempts, delivery.next_at), (1, None));
}
