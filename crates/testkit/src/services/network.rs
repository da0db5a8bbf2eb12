use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, split};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio_rustls::TlsAcceptor;

use super::Certificates;

/// A proxy to a server that can simulate network faults. It ends when it is dropped.
pub struct Network {
    address: SocketAddr,
    condition: watch::Sender<Condition>,
}

/// The condition of the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Forwards everything.
    Well,
    /// Forwards everything, with this delay for each request.
    Slow(Duration),
    /// Accepts connections and reads from them, but forwards nothing.
    Hanging,
    /// Like [`Self::Hanging`], and existing connections never forward anything again, as behind a firewall that has
    /// lost their state.
    Forgetting,
    /// Closes connections and refuses new ones.
    Refusing,
}

impl Condition {
    const fn is_refusing(&self) -> bool {
        matches!(self, Self::Refusing)
    }
}

impl Network {
    /// Starts a proxy to the server at an address.
    pub fn to(server: SocketAddr) -> Self {
        Self::start(server, None)
    }

    /// Starts a proxy that accepts TLS for a server without TLS.
    pub fn tls_to(server: SocketAddr, certificates: &Certificates) -> Self {
        Self::start(server, Some(certificates.acceptor()))
    }

    fn start(server: SocketAddr, tls: Option<TlsAcceptor>) -> Self {
        let (condition, seen) = watch::channel(Condition::Well);
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let address = listener.local_addr().expect("an address");
        listener.set_nonblocking(true).expect("not blocking");
        // A separate thread keeps the network independent of the test's runtime.
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
            runtime.block_on(async {
                let listener = TcpListener::from_std(listener).expect("a listener");
                tokio::select! {
                    () = listen(listener, server, tls, seen.clone()) => {}
                    () = ended(seen) => {}
                }
            });
        });
        Self { address, condition }
    }

    /// Returns the address for clients.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Changes the condition of the network.
    pub fn becomes(&self, condition: Condition) {
        self.condition.send_replace(condition);
    }
}

/// Returns once the [`Network`] is dropped.
async fn ended(mut condition: watch::Receiver<Condition>) {
    while condition.changed().await.is_ok() {}
}

async fn listen(
    mut listener: TcpListener,
    server: SocketAddr,
    tls: Option<TlsAcceptor>,
    mut condition: watch::Receiver<Condition>,
) {
    let address = listener.local_addr().expect("an address");
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = becomes(&mut condition, Condition::is_refusing) => {
                drop(listener);
                becomes(&mut condition, |now| !now.is_refusing()).await;
                listener = TcpListener::bind(address).await.expect("its port is still free");
                continue;
            }
        };
        if let Ok((client, _)) = accepted {
            tokio::spawn(connection(client, server, tls.clone(), condition.clone()));
        }
    }
}

/// Returns once the condition satisfies `like`; never if the [`Network`] is dropped.
async fn becomes(condition: &mut watch::Receiver<Condition>, like: impl Fn(&Condition) -> bool) {
    if condition.wait_for(|now| like(now)).await.is_err() {
        std::future::pending::<()>().await;
    }
}

async fn connection(
    client: TcpStream,
    server: SocketAddr,
    tls: Option<TlsAcceptor>,
    mut condition: watch::Receiver<Condition>,
) {
    let passing = condition.clone();
    let passed = async move {
        let _ = client.set_nodelay(true);
        match tls {
            None => pass(client, server, passing).await,
            Some(tls) => match tls.accept(client).await {
                Ok(client) => pass(client, server, passing).await,
                Err(_) => None,
            },
        }
    };
    let mut refused = condition.clone();
    let mut passed = std::pin::pin!(passed);
    tokio::select! {
        biased;
        () = becomes(&mut refused, Condition::is_refusing) => {}
        // Both connections stay open without traffic.
        () = becomes(&mut condition, |now| *now == Condition::Forgetting) => {
            becomes(&mut refused, Condition::is_refusing).await;
        }
        _ = &mut passed => {}
    }
}

async fn pass(
    client: impl AsyncRead + AsyncWrite,
    server: SocketAddr,
    mut condition: watch::Receiver<Condition>,
) -> Option<()> {
    condition.wait_for(|now| *now != Condition::Hanging).await.ok()?;
    let server = TcpStream::connect(server).await.ok()?;
    server.set_nodelay(true).ok()?;
    let (from_client, to_client) = split(client);
    let (from_server, to_server) = server.into_split();
    let request_pending = Arc::new(AtomicBool::new(false));
    let there = requests(from_client, to_server, condition.clone(), Arc::clone(&request_pending));
    let back = answers(from_server, to_client, condition, request_pending);
    tokio::join!(there, back);
    Some(())
}

/// Forwards the client's data. On a slow network, delays the first piece since the last response.
async fn requests(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut condition: watch::Receiver<Condition>,
    request_pending: Arc<AtomicBool>,
) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        let now = condition.wait_for(|now| *now != Condition::Hanging).await.map(|now| *now);
        if let (Ok(Condition::Slow(late)), false) = (now, request_pending.swap(true, Ordering::Relaxed)) {
            tokio::time::sleep(late).await;
        }
        if to.write_all(&piece[..length]).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}

/// Forwards the server's data.
async fn answers(
    mut from: impl AsyncRead + Unpin,
    mut to: impl AsyncWrite + Unpin,
    mut condition: watch::Receiver<Condition>,
    request_pending: Arc<AtomicBool>,
) {
    let mut piece = vec![0; 1 << 16];
    while let Ok(length @ 1..) = from.read(&mut piece).await {
        let _ = condition.wait_for(|now| *now != Condition::Hanging).await;
        request_pending.store(false, Ordering::Relaxed);
        if to.write_all(&piece[..length]).await.is_err() || to.flush().await.is_err() {
            return;
        }
    }
    let _ = to.shutdown().await;
}

#[cfg(test)]
mod tests {
    use std::io;

    use tokio::time::{Instant, sleep, timeout};

    use super::*;

    /// Starts a server that echoes every byte.
    async fn echo() -> SocketAddr {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(async move {
            while let Ok((mut client, _)) = listener.accept().await {
                tokio::spawn(async move {
                    let (mut from, mut to) = client.split();
                    tokio::io::copy(&mut from, &mut to).await
                });
            }
        });
        address
    }

    async fn connect(network: &Network) -> io::Result<TcpStream> {
        TcpStream::connect(network.address()).await
    }

    async fn roundtrip(stream: &mut TcpStream) -> io::Result<u8> {
        stream.write_all(b"x").await?;
        timeout(Duration::from_millis(300), stream.read_u8()).await?
    }

    /// Returns true if the condition holds within five seconds.
    async fn eventually(condition: impl AsyncFn() -> bool) -> bool {
        for _ in 0..500 {
            if condition().await {
                return true;
            }
            sleep(Duration::from_millis(10)).await;
        }
        false
    }

    #[tokio::test]
    async fn a_network_hangs_is_slow_refuses_and_is_well_again() {
        let network = Network::to(echo().await);
        let mut first = connect(&network).await.expect("connects");
        assert_eq!(roundtrip(&mut first).await.expect("answered"), b'x');
        network.becomes(Condition::Hanging);
        assert!(roundtrip(&mut first).await.is_err());
        let mut second = connect(&network).await.expect("it takes connections and passes nothing on");
        assert!(roundtrip(&mut second).await.is_err());
        network.becomes(Condition::Forgetting);
        let mut forgotten = connect(&network).await.expect("it takes connections and passes nothing on");
        assert!(roundtrip(&mut forgotten).await.is_err());
        network.becomes(Condition::Slow(Duration::from_millis(100)));
        for forgotten in [&mut first, &mut forgotten] {
            assert_eq!(roundtrip(forgotten).await.expect_err("never again").kind(), io::ErrorKind::TimedOut);
        }
        let mut third = connect(&network).await.expect("connects");
        let started = Instant::now();
        assert_eq!(roundtrip(&mut third).await.expect("answered"), b'x');
        assert!(started.elapsed() >= Duration::from_millis(100));
        network.becomes(Condition::Refusing);
        assert!(eventually(async || connect(&network).await.is_err()).await && roundtrip(&mut third).await.is_err());
        network.becomes(Condition::Well);
        assert!(eventually(async || connect(&network).await.is_ok()).await);
        assert_eq!(roundtrip(&mut connect(&network).await.expect("connects")).await.expect("answered"), b'x');
    }
}
