use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sports_accounts::{CallerNetwork, CustomerId};
use sports_domain::content::ObjectHash;
use tokio::sync::oneshot;

/// The client of a line of computations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum QueueClient {
    /// A customer, with all keys.
    Customer(CustomerId),
    /// A caller without a key: one computation at a time, after those of callers with a key.
    Network(CallerNetwork),
    /// The service itself: work that goes on without the request that began it.
    Service,
}

impl QueueClient {
    const fn is_keyless(self) -> bool {
        matches!(self, Self::Network(_))
    }
}

/// The result of a computation. Requests of several clients may wait for one answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Work {
    Answer(ObjectHash),
    Numbered(u64),
}

/// The computations that wait for a turn, in a line for each client; clients take turns.
///
/// Callers without a key come after all others.
///
/// A computation and the requests that wait for it enter separately: it begins when the turn of one of them comes.
#[derive(Debug, Clone)]
pub(super) struct Line(Arc<Mutex<QueueState>>);

#[derive(Debug)]
struct QueueState {
    free: usize,
    turns_of_one: usize,
    /// The client whose turn is next comes first.
    clients: VecDeque<ClientLine>,
    waiting: HashMap<Work, VecDeque<WaitingWork>>,
    last_id: u64,
}

#[derive(Debug)]
struct ClientLine {
    client: QueueClient,
    running: usize,
    /// By arrival, also of work that has begun.
    places: Vec<(Work, Request)>,
}

/// A hash of the address of a request: equal ones of a client wait as one.
pub(super) type Request = u64;

#[derive(Debug)]
struct WaitingWork {
    id: u64,
    turn: oneshot::Sender<Turn>,
}

/// The right to compute, until the drop.
#[derive(Debug)]
pub(super) struct Turn {
    line: Line,
    client: QueueClient,
}

/// A request in the line of its client, until the drop.
#[derive(Debug)]
pub(super) struct QueuePlace {
    line: Line,
    client: QueueClient,
    of: (Work, Request),
}

/// A computation that waits for its turn, until the drop.
struct Waiting<'a> {
    line: &'a Line,
    work: Work,
    id: u64,
}

impl Line {
    /// Creates a line for `turns` computations at once, at most `of_one` of them for one client.
    pub(super) fn new(turns: usize, of_one: usize) -> Self {
        let (clients, waiting) = (VecDeque::new(), HashMap::new());
        Self(Arc::new(Mutex::new(QueueState { free: turns, turns_of_one: of_one, clients, waiting, last_id: 0 })))
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Changes the line, and hands out the turns that are due then.
    fn change<T>(&self, change: impl FnOnce(&mut QueueState) -> T) -> T {
        let (changed, due) = {
            let mut state = self.state();
            let changed = change(&mut state);
            (changed, state.due())
        };
        for (work, client) in due {
            // A computation that was given up drops its turn, which changes the line again.
            let _ = work.turn.send(Turn { line: self.clone(), client });
        }
        changed
    }

    /// Puts a request into the line of its client; `None` if `most` other requests of the client wait there.
    pub(super) fn enter(&self, client: QueueClient, of: (Work, Request), most: usize) -> Option<QueuePlace> {
        let entered = self.change(|state| state.enter(client, of, most));
        entered.then(|| QueuePlace { line: self.clone(), client, of })
    }

    /// Waits for the turn of a computation.
    pub(super) async fn turn(&self, work: Work) -> Result<Turn, oneshot::error::RecvError> {
        let (turn, granted) = oneshot::channel();
        let id = self.change(|state| state.wait(work, turn));
        let _until_begun = Waiting { line: self, work, id };
        granted.await
    }

    /// Returns true if a computation waits for its turn.
    pub(super) fn has_waiting(&self, work: Work) -> bool {
        self.state().is_waiting(work)
    }

    /// Returns the numbers of free turns and of computations that wait.
    pub(super) fn counts(&self) -> (usize, usize) {
        let state = self.state();
        (state.free, state.waiting.values().map(VecDeque::len).sum())
    }
}

impl QueueState {
    fn is_waiting(&self, work: Work) -> bool {
        self.waiting.contains_key(&work)
    }

    fn enter(&mut self, client: QueueClient, of: (Work, Request), most: usize) -> bool {
        let Some(index) = self.clients.iter().position(|line| line.client == client) else {
            self.clients.push_back(ClientLine { client, running: 0, places: vec![of] });
            return true;
        };
        let places = self.clients[index].places.iter();
        let others = places.filter(|(work, request)| *request != of.1 && self.is_waiting(*work));
        let others = others.map(|(_, request)| request).collect::<HashSet<_>>().len();
        // A request for what has begun does not wait.
        if others >= most && self.is_waiting(of.0) {
            return false;
        }
        self.clients[index].places.push(of);
        true
    }

    fn wait(&mut self, work: Work, turn: oneshot::Sender<Turn>) -> u64 {
        self.last_id += 1;
        self.waiting.entry(work).or_default().push_back(WaitingWork { id: self.last_id, turn });
        self.last_id
    }

    /// Takes the computations whose turn has come, each with the client that spends a turn on it.
    fn due(&mut self) -> Vec<(WaitingWork, QueueClient)> {
        let mut due = Vec::new();
        while let Some((index, work)) = self.next().filter(|_| self.free > 0) {
            let (Some(mut line), Some(waiting)) = (self.clients.remove(index), self.take(work)) else { break };
            self.free -= 1;
            line.running += 1;
            due.push((waiting, line.client));
            self.clients.push_back(line);
        }
        due
    }

    /// Returns the index of the client that is next, and its first computation that waits.
    fn next(&self) -> Option<(usize, Work)> {
        let of = |(work, _): &(Work, Request)| self.is_waiting(*work).then_some(*work);
        let next_of = |is_keyless: bool| {
            let most = if is_keyless { 1 } else { self.turns_of_one };
            let lines = self.clients.iter().enumerate();
            let mut able = lines.filter(|(_, line)| line.client.is_keyless() == is_keyless && line.running < most);
            able.find_map(|(index, line)| Some((index, line.places.iter().find_map(of)?)))
        };
        next_of(false).or_else(|| next_of(true))
    }

    /// Takes the computation that has waited for longest.
    fn take(&mut self, work: Work) -> Option<WaitingWork> {
        let waiting = self.waiting.get_mut(&work)?;
        let first = waiting.pop_front();
        if waiting.is_empty() {
            self.waiting.remove(&work);
        }
        first
    }

    fn give_up(&mut self, work: Work, id: u64) {
        if let Some(waiting) = self.waiting.get_mut(&work) {
            waiting.retain(|waiting| waiting.id != id);
            if waiting.is_empty() {
                self.waiting.remove(&work);
            }
        }
    }

    fn leave(&mut self, client: QueueClient, left: impl FnOnce(&mut ClientLine)) {
        if let Some(line) = self.clients.iter_mut().find(|line| line.client == client) {
            left(line);
        }
        self.clients.retain(|line| line.running > 0 || !line.places.is_empty());
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        self.line.change(|state| {
            state.free += 1;
            state.leave(self.client, |line| line.running -= 1);
        });
    }
}

impl Drop for QueuePlace {
    fn drop(&mut self) {
        self.line.change(|state| {
            state.leave(self.client, |line| {
                if let Some(index) = line.places.iter().position(|place| *place == self.of) {
                    line.places.remove(index);
                }
            });
        });
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.line.change(|state| state.give_up(self.work, self.id));
    }
}

#[cfg(test)]
mod tests {
    use std::net::{IpAddr, Ipv4Addr};

    use futures::future::join_all;
    use futures::poll;
    use tokio::task::yield_now;

    use super::*;

    /// The first number of a caller without a key.
    const STRANGER: u8 = 100;

    fn client(number: u8) -> QueueClient {
        if number < STRANGER {
            return QueueClient::Customer(CustomerId::from_random([number; 10]));
        }
        QueueClient::Network(IpAddr::from(Ipv4Addr::new(192, 0, 2, number)).into())
    }

    /// Lets requests of clients wait for works, in this order, while the only turn is taken; returns the works in the order of
    /// their turns.
    async fn order(requests: &[(u8, u64)]) -> Vec<u64> {
        let line = Line::new(1, 1);
        let _first = line.enter(client(0), (Work::Numbered(0), 0), 0);
        let taken = line.turn(Work::Numbered(0)).await.expect("a free turn");
        let begun = Mutex::new(Vec::new());
        let places: Vec<_> = requests
            .iter()
            .map(|(of, work)| line.enter(client(*of), (Work::Numbered(*work), *work), usize::MAX).expect("a place"))
            .collect();
        let works: HashSet<_> = requests.iter().map(|(_, work)| *work).collect();
        let computations = join_all(works.into_iter().map(|work| {
            let (line, begun) = (&line, &begun);
            async move {
                let _turn = line.turn(Work::Numbered(work)).await.expect("a turn");
                begun.lock().expect("no panic").push(work);
                yield_now().await;
            }
        }));
        let release = async {
            yield_now().await;
            drop(taken);
        };
        tokio::join!(computations, release);
        drop(places);
        let left = line.state();
        assert_eq!((left.free, left.clients.len(), left.waiting.len()), (1, 1, 0), "the first is still there");
        begun.into_inner().expect("no panic")
    }

    #[tokio::test]
    async fn clients_take_turns_and_the_works_of_one_are_in_order() {
        let greedy = [(1, 11), (1, 12), (1, 13), (1, 14)];
        assert_eq!(order(&[&greedy[..], &[(2, 21), (3, 31), (2, 22)]].concat()).await, [11, 21, 31, 12, 22, 13, 14]);
    }

    #[tokio::test]
    async fn a_work_begins_with_the_first_turn_of_those_that_wait_for_it() {
        let requests = [(1, 11), (1, 12), (1, 13), (2, 13), (3, 31)];
        assert_eq!(order(&requests).await, [11, 13, 31, 12]);
    }

    #[tokio::test]
    async fn a_client_has_its_share_of_the_turns_and_others_the_rest() {
        let line = Line::new(4, 2);
        let places: Vec<_> = [(1, 11), (1, 12), (1, 13), (2, 21)]
            .map(|(of, work)| line.enter(client(of), (Work::Numbered(work), work), 4).expect("a place"))
            .into();
        let mut last = Box::pin(line.turn(Work::Numbered(12)));
        let [first, third, other] = [11, 13, 21].map(|work| Box::pin(line.turn(Work::Numbered(work))));
        let turns = (first.await, third.await, poll!(&mut last).is_pending(), other.await);
        assert!(turns.2, "half of the turns are of one client");
        assert_eq!(line.counts(), (1, 1), "and what is free is for others");
        drop((turns, places));
        drop(last);
        assert_eq!(line.counts(), (4, 0));
    }

    #[tokio::test]
    async fn callers_without_a_key_come_after_all_others_and_compute_one_thing_at_a_time() {
        let [stranger, other] = [STRANGER, STRANGER + 1];
        let requests = [(stranger, 91), (stranger, 92), (1, 11), (other, 81), (1, 12)];
        assert_eq!(order(&requests).await, [11, 12, 91, 81, 92]);
        let line = Line::new(4, 2);
        let places =
            [91, 92].map(|work| line.enter(client(stranger), (Work::Numbered(work), work), 4).expect("a place"));
        let mut second = Box::pin(line.turn(Work::Numbered(92)));
        let first = line.turn(Work::Numbered(91)).await;
        assert!(poll!(&mut second).is_pending(), "although turns are free");
        drop(first);
        assert!(poll!(&mut second).is_ready());
        drop(places);
    }

    #[tokio::test]
    async fn equal_requests_of_a_client_wait_as_one_and_those_that_compute_are_not_counted() {
        let line = Line::new(1, 1);
        let enter = |work, request| line.enter(client(1), (Work::Numbered(work), request), 2);
        let (_running, turn) = (enter(0, 0), line.turn(Work::Numbered(0)).await);
        let (mut one, mut other) = (Box::pin(line.turn(Work::Numbered(1))), Box::pin(line.turn(Work::Numbered(2))));
        assert!(poll!(&mut one).is_pending() && poll!(&mut other).is_pending());
        let waiting = (enter(1, 1), enter(1, 1), enter(2, 2));
        let mut third = Box::pin(line.turn(Work::Numbered(3)));
        assert!(poll!(&mut third).is_pending());
        assert!(enter(3, 3).is_none());
        assert!(enter(3, 2).is_some() && line.enter(client(2), (Work::Numbered(3), 3), 2).is_some());
        assert!(enter(0, 4).is_some(), "a request for what has begun does not wait");
        drop(turn);
        assert!(poll!(&mut one).is_ready());
        assert!(enter(3, 3).is_some());
        drop(waiting);
    }
}
