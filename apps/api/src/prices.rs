//! The source of prediction-market prices, and the cache in front of it.

use std::sync::Arc;

use sports_cache::CachedGamePrices;
use sports_ports::Clock;
use sports_ports::prices::{GamePrices, NoPrices};
use sports_prices_kalshi::{CircuitBreaker, KalshiPrices, SetupError};
use sports_program::settings::Prices;

use sports_telemetry::dependencies::Dependency;
use sports_telemetry::trace::TraceContext;

/// Chooses the cryptography of TLS connections, once for the program.
///
/// Every outgoing connection relies on it, so each program and each test that opens one calls this function first.
/// Further calls have no effect.
pub fn use_ring() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// Connects to the exchange, with a circuit breaker and a cache; there are no prices if the settings name no exchange.
///
/// # Errors
///
/// [`SetupError`] if the address cannot be used.
pub fn game_prices(
    settings: &Prices,
    clock: &Arc<dyn Clock>,
    observer: &Dependency,
) -> Result<Arc<dyn GamePrices>, SetupError> {
    let Some(address) = &settings.kalshi_url else { return Ok(Arc::new(NoPrices)) };
    let exchange = KalshiPrices::new(address.as_str(), Arc::clone(clock))?.with_headers(TraceContext::headers);
    let exchange = exchange.observed_by(observer.observer());
    let guarded = CircuitBreaker::new(Arc::new(exchange), Arc::clone(clock));
    Ok(Arc::new(CachedGamePrices::new(Arc::new(guarded), Arc::clone(clock))))
}
