use std::path::Path;

use chrono_tz::Tz;

/// Returns the time zone of the machine: that of `TZ`, else of `/etc/localtime`; UTC if neither names a zone.
pub fn local_zone() -> Tz {
    let variable = std::env::var("TZ").ok();
    let link = std::fs::read_link("/etc/localtime").ok();
    zone(variable.as_deref(), link.as_deref())
}

fn zone(variable: Option<&str>, link: Option<&Path>) -> Tz {
    let named = variable.filter(|name| !name.is_empty()).map(|name| name.trim_start_matches(':'));
    let linked = || link?.to_str()?.split_once("zoneinfo/").map(|(_, name)| name);
    named.or_else(linked).and_then(|name| name.parse().ok()).unwrap_or(Tz::UTC)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_variable_prevails_over_the_link_and_utc_is_the_default() {
        let link = Some(Path::new("/usr/share/zoneinfo/Europe/Berlin"));
        assert_eq!(zone(Some("America/Chicago"), link), Tz::America__Chicago);
        assert_eq!(zone(Some(":America/Chicago"), None), Tz::America__Chicago);
        assert_eq!((zone(None, link), zone(Some(""), link)), (Tz::Europe__Berlin, Tz::Europe__Berlin));
        assert_eq!((zone(None, None), zone(Some("nowhere"), link)), (Tz::UTC, Tz::UTC));
    }
}
