//! Variables that Kubernetes sets in a pod for each Service of its namespace.

use crate::entry::PREFIX;

/// Returns true if a variable has the form of a service link. A Service named `sports-database` creates
/// `SPORTS_DATABASE_SERVICE_HOST`, `SPORTS_DATABASE_PORT` and more, which would otherwise be taken for misspelt
/// settings.
pub(crate) fn is_service_link(name: &str, value: &str) -> bool {
    let Some(rest) = name.strip_prefix(PREFIX) else { return false };
    rest.ends_with("_SERVICE_HOST")
        || rest.ends_with("_SERVICE_PORT")
        || rest.contains("_SERVICE_PORT_")
        // `…_PORT=8080` may be an operator's setting.
        || (rest.ends_with("_PORT") && value.contains("://"))
        || rest.match_indices("_PORT_").any(|(at, part)| is_of_port(&rest[at + part.len()..]))
}

/// Returns true if the rest of a name after `_PORT_` has the form of `5432_TCP` or `5432_TCP_ADDR`.
fn is_of_port(rest: &str) -> bool {
    let mut parts = rest.split('_');
    let is_number = parts.next().is_some_and(|port| port.parse::<u16>().is_ok());
    let is_protocol = parts.next().is_some_and(|protocol| ["TCP", "UDP", "SCTP"].contains(&protocol));
    let is_kind = parts.next().is_none_or(|kind| ["PROTO", "PORT", "ADDR"].contains(&kind));
    is_number && is_protocol && is_kind && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variables_of_a_service_are_links_and_misspelt_settings_are_not() {
        let links = [
            ("SPORTS_DATABASE_SERVICE_HOST", "10.0.0.7"),
            ("SPORTS_DATABASE_SERVICE_PORT", "5432"),
            ("SPORTS_DATABASE_SERVICE_PORT_POSTGRES_TLS", "5432"),
            ("SPORTS_DATABASE_PORT", "tcp://10.0.0.7:5432"),
            ("SPORTS_DATABASE_PORT_5432_TCP", "tcp://10.0.0.7:5432"),
            ("SPORTS_DATABASE_PORT_5432_TCP_PROTO", "tcp"),
            ("SPORTS_DATABASE_PORT_5432_TCP_PORT", "5432"),
            ("SPORTS_DATABASE_PORT_5432_TCP_ADDR", "10.0.0.7"),
            ("SPORTS_HTTP__OLD_PORT_53_UDP", "udp://10.0.0.7:53"),
        ];
        for (name, value) in links {
            assert!(is_service_link(name, value), "{name}");
        }
        let others = [
            ("SPORTS_HTTP_PORT", "8080"),
            ("SPORTS_HTTP__PORT", "8080"),
            ("SPORTS_DATABASE_URL", "tcp://10.0.0.7:5432"),
            ("SPORTS_METRICS_PORT_BIND", "x"),
            ("SPORTS_METRICS_PORT_9100", "x"),
            ("DATABASE_SERVICE_HOST", "10.0.0.7"),
        ];
        for (name, value) in others {
            assert!(!is_service_link(name, value), "{name}");
        }
    }
}
