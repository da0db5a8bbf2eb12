//! Addresses to share. What follows `#` in an address of the page is never sent, so a game and a figure have addresses of
//! their own, with the words and the picture that a preview shows; each opens the page.

use actix_web::http::Method;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::web::{Path, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse};
use chrono::NaiveDate;
use sports_domain::{ModelType, Sport, TeamSlug};
use sports_publication::slate::{Names, TeamNames};

use super::super::cards;
use super::{PAGE, PICTURE};
use crate::auth::Anyone;
use crate::error::ApiError;
use crate::operation::undocumented;
use crate::page::Link;
use crate::state::State;

pub(super) const GAME: &str = "/game/{sport}/{game_id}";
pub(super) const FIGURE: &str = "/figure/{figure}/{tail:.*}";

/// The content policy of an address that opens the page: it has no scripts and no styles.
const POLICY: &str = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(super) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, GAME, open_game)).service(undocumented(Method::GET, FIGURE, open_figure));
}

async fn open_game(
    _caller: Anyone,
    request: HttpRequest,
    path: Path<(String, String)>,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (sport, id) = path.into_inner();
    let (sport, title) = sport
        .parse()
        .ok()
        .and_then(|sport| Some((sport, game_title(sport, &id)?)))
        .ok_or_else(|| ApiError::NotFound("No game of that league has such a `game_id`".to_owned()))?;
    let description = "The forecast from its first release to the final, beside the book, and its proof.";
    let link = Link { title: &title, description, target: &format!("../../{PAGE}#/game/{sport}/{id}") };
    send(&request, &state, link, Some(sport), None).await
}

async fn open_figure(
    _caller: Anyone,
    request: HttpRequest,
    path: Path<(String, String)>,
    state: State,
) -> Result<HttpResponse, ApiError> {
    let (figure, tail) = path.into_inner();
    let parts: Vec<_> = tail.split('/').collect();
    // The path of an address of the page, in which nothing is escaped.
    let is_plain = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte))
    };
    if !is_plain(&figure) || !parts.iter().copied().all(is_plain) {
        return Err(ApiError::NoSuchPath);
    }
    let sport: Option<Sport> = parts.get(1).and_then(|code| code.parse().ok());
    let market: Option<ModelType> = parts.get(2).and_then(|code| code.parse().ok());
    let query = match request.query_string() {
        "" => String::new(),
        query => format!("{query}&"),
    };
    let root = "../".repeat(parts.len() + 1);
    let target = format!("{root}{PAGE}#/{tail}?{query}figure={figure}");
    let words = [
        Some(in_words(&figure)),
        sport.map(|sport| sport.code().to_uppercase()),
        market.map(|market| market.name().to_owned()),
    ];
    let title = words.into_iter().flatten().collect::<Vec<_>>().join(" · ");
    let description = "A figure of the published record, as the API serves it.";
    send(&request, &state, Link { title: &title, description, target: &target }, sport, market).await
}

async fn send(
    request: &HttpRequest,
    state: &State,
    link: Link<'_>,
    sport: Option<Sport>,
    market: Option<ModelType>,
) -> Result<HttpResponse, ApiError> {
    let picture = tokio::time::timeout(PICTURE, cards::picture(state, sport, market)).await.ok().flatten();
    let mut response = state.site.page.link(&link, request.path(), picture.as_deref()).send(request).await;
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    Ok(response)
}

/// Returns the teams, the date and the league of a game's identity; `None` if it is none.
fn game_title(sport: Sport, id: &str) -> Option<String> {
    let mut parts = id.strip_prefix(sport.code())?.strip_prefix('-')?.split('-');
    let date = [parts.next()?, parts.next()?, parts.next()?].join("-").parse::<NaiveDate>().ok()?;
    let mut team = || parts.next().and_then(|text| TeamSlug::normalise(text).ok());
    let (away, home) = (team()?, team()?);
    // The number of a later game of the day.
    if parts.next().is_some_and(|number| number.parse::<u8>().is_err()) || parts.next().is_some() {
        return None;
    }
    let names = Names { sport, published: &TeamNames::default() };
    let day = date.format("%b %-d, %Y");
    Some(format!("{} at {} · {day} · {}", names.display(&away), names.display(&home), sport.code().to_uppercase()))
}

/// Returns the name of a figure as words: `reliability-live` is `Reliability live`.
fn in_words(figure: &str) -> String {
    let words = figure.replace(['-', '_'], " ");
    let mut letters = words.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_read_from_the_identity_of_a_game() {
        let title = |sport, id| game_title(sport, id);
        assert_eq!(
            title(Sport::Mlb, "mlb-2024-07-05-new_york_yankees-boston_red_sox-2").as_deref(),
            Some("New York Yankees at Boston Red Sox · Jul 5, 2024 · MLB")
        );
        assert_eq!(
            title(Sport::Ncaab, "ncaab-2024-12-01-st_johns-uconn").as_deref(),
            Some("St. John's at UConn · Dec 1, 2024 · NCAAB")
        );
        for bad in [
            "",
            "mlb",
            "nfl-2024-07-05-a-b",
            "mlb-2024-13-05-a-b",
            "mlb-2024-07-05-a",
            "mlb-2024-07-05-a-b-c",
            "mlb-2024-07-05-a-b-2-3",
            "mlb-2024-07-05-<b>-\"",
        ] {
            assert_eq!(title(Sport::Mlb, bad), None, "{bad}");
        }
    }
}
