//! The page for people: its files, which are in the program, and what the publisher's settings make of them.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use actix_web::http::header::HeaderValue;
use arc_swap::ArcSwap;
use bytes::Bytes;
use sports_domain::content::ObjectHash;
use sports_program::settings::{About, Contact, Logo, ServiceUrl, Settings, SettingsError};

use crate::caching::File;

macro_rules! files {
    ($($name:literal)*) => { [$(($name, include_bytes!(concat!("../web/page/", $name)).as_slice())),*] };
}

/// The page itself.
const INDEX: &str = include_str!("../web/page/index.html");

/// The files that the page loads, by their names under the version's folder. A test compares the list with the
/// folder.
const FILES: [(&str, &[u8]); 77] = files! {
    "address.js"
    "api.js"
    "clock.js"
    "dom.js"
    "entry.js"
    "figures.css"
    "forecasts.js"
    "format.js"
    "icon.svg"
    "key.js"
    "main.js"
    "models.js"
    "rule.js"
    "scroll.js"
    "site.js"
    "slate.js"
    "style.css"
    "tables.css"
    "words.js"
    "parts/axes.js"
    "parts/calibrations.js"
    "parts/calls.js"
    "parts/card.js"
    "parts/checkpoint.js"
    "parts/clv.js"
    "parts/csv.js"
    "parts/curves.js"
    "parts/dates.js"
    "parts/days.js"
    "parts/dumbbell.js"
    "parts/failure.js"
    "parts/figure.js"
    "parts/filter.js"
    "parts/gaps.js"
    "parts/heat-map.js"
    "parts/hit.js"
    "parts/intervals.js"
    "parts/keep-file.js"
    "parts/key-form.js"
    "parts/last-night.js"
    "parts/later.js"
    "parts/lines.js"
    "parts/marks.js"
    "parts/menu.js"
    "parts/moments.js"
    "parts/movement.js"
    "parts/pickers.js"
    "parts/picture.js"
    "parts/popover.js"
    "parts/proof.js"
    "parts/reliability.js"
    "parts/result-table.js"
    "parts/row-chart.js"
    "parts/rule-answer.js"
    "parts/rule-form.js"
    "parts/rule-picture.js"
    "parts/scores.js"
    "parts/slate-board.js"
    "parts/slate-table.js"
    "parts/sorting.js"
    "parts/status.js"
    "parts/step-plot.js"
    "parts/summaries.js"
    "parts/svg.js"
    "parts/table.js"
    "parts/tones.js"
    "parts/units.js"
    "views/account.js"
    "views/freshness.js"
    "views/overview.js"
    "views/record.js"
    "views/results.js"
    "views/strategies.js"
    "views/teams.js"
    "views/today.js"
    "views/track-record.js"
    "views/your-rule.js"
};

/// The name of a site without one.
const NAME: &str = "Sports model data";

/// The description of a site without a text.
const DESCRIPTION: &str = "Forecasts of sports models and their record. Research signals, no edge is guaranteed.";

/// The page and its files, ready to send; each is compressed at most once per process. Addresses of files are relative, so the page
/// works below a prefix.
pub struct Page {
    /// The page without the tags about its picture.
    template: String,
    /// The page as it was sent last, with the address of its picture.
    index: ArcSwap<(Option<String>, File)>,
    pub(crate) version: String,
    files: HashMap<&'static str, File>,
}

impl Page {
    /// Makes the page of these settings; reads the file of the logo.
    ///
    /// # Errors
    ///
    /// [`SettingsError::BadLogo`] if that is no picture.
    pub fn from_settings(settings: &Settings) -> Result<Self, SettingsError> {
        let site = &settings.site;
        let bad = |source| SettingsError::BadLogo { path: site.logo.clone().unwrap_or_default(), source };
        let logo = site.logo.as_deref().map(Logo::read).transpose().map_err(bad)?;
        let accent = site.accent.map(|accent| format!(":root {{ --site-accent: {accent}; }}\n")).unwrap_or_default();
        let mut files: Vec<(&'static str, &'static str, Bytes)> =
            FILES.map(|(name, content)| (name, media_type(name), Bytes::from_static(content))).into();
        files.push(("site.css", media_type("site.css"), accent.into()));
        files.extend(logo.map(|logo| ("logo", logo.media_type, logo.bytes.into())));
        let mut all = INDEX.as_bytes().to_vec();
        for (name, _, content) in &files {
            all.extend([name.as_bytes(), content].concat());
        }
        let version = ObjectHash::from_bytes(&all).short(16);
        let template = template(settings, &version);
        let file = |(name, media_type, content)| (name, File::new(name, HeaderValue::from_static(media_type), content));
        Ok(Self {
            index: ArcSwap::from_pointee((None, index(&template, None))),
            template,
            version,
            files: files.into_iter().map(file).collect(),
        })
    }

    /// Returns the page with the absolute address of its picture, a card, for those who link to it.
    pub(crate) fn index(&self, picture: Option<&str>) -> Arc<(Option<String>, File)> {
        let sent = self.index.load();
        if sent.0.as_deref() == picture {
            return Arc::clone(&sent);
        }
        let made = Arc::new((picture.map(str::to_owned), index(&self.template, picture)));
        self.index.store(Arc::clone(&made));
        made
    }

    /// Returns a file of the page.
    pub(crate) fn file(&self, name: &str) -> Option<&File> {
        self.files.get(name)
    }
}

fn index(template: &str, picture: Option<&str>) -> File {
    let mut tags = String::new();
    if let Some(picture) = picture {
        tags.push_str(&meta("property", "og:image", picture));
        for (name, content) in [("og:image:width", "1200"), ("og:image:height", "630")] {
            tags.push_str(&meta("property", name, content));
        }
    }
    let card = if picture.is_some() { "summary_large_image" } else { "summary" };
    tags.push_str(&meta("name", "twitter:card", card));
    let html = HeaderValue::from_static("text/html; charset=utf-8");
    File::new("explore", html, template.replace("{picture}", tags.trim()).into())
}

/// Returns the page with what the publisher says.
fn template(settings: &Settings, version: &str) -> String {
    let site = &settings.site;
    let name = escaped(site.name.as_ref().map_or(NAME, |name| name.as_str()));
    let description = site.about.as_ref().map(About::summary).filter(|summary| !summary.is_empty());
    let description = description.unwrap_or(DESCRIPTION);
    let address = settings.http.public_url.as_ref().map(ServiceUrl::as_str);
    let mut tags = meta("name", "description", description);
    for (tag, content) in [
        ("og:type", "website"),
        ("og:title", site.name.as_ref().map_or(NAME, |name| name.as_str())),
        ("og:description", description),
    ] {
        tags.push_str(&meta("property", tag, content));
    }
    tags.extend(address.map(|address| meta("property", "og:url", &format!("{address}/explore/"))));
    let logo = site.logo.as_ref().map(|_| format!("<img src=\"{version}/logo\" alt=\"\" height=\"40\" />"));
    let about = site.about.as_ref().map(|about| {
        format!("<section id=\"about\" aria-labelledby=\"about-title\"><h2 id=\"about-title\">About {name}</h2>\n{}</section>", about.html())
    });
    let contact = site.contact.as_ref().or(settings.http.contact.as_ref());
    let contact = contact.map(|contact| format!("<p id=\"publisher\">Contact: {}</p>", contact_link(contact)));
    let parts = [
        ("{version}", version),
        ("{name}", &name),
        ("{tags}", tags.trim()),
        ("{logo}", &logo.unwrap_or_default()),
        ("{about}", &about.unwrap_or_default()),
        ("{contact}", &contact.unwrap_or_default()),
    ];
    let mut page = String::new();
    let mut rest = INDEX;
    // In one pass: what the publisher says may have braces.
    while let Some(start) = rest.find('{') {
        page.push_str(&rest[..start]);
        let found = parts.iter().find(|(mark, _)| rest[start..].starts_with(mark));
        page.push_str(found.map_or("{", |(_, content)| content));
        rest = &rest[start + found.map_or(1, |(mark, _)| mark.len())..];
    }
    page + rest
}

fn meta(kind: &str, name: &str, content: &str) -> String {
    format!("<meta {kind}=\"{name}\" content=\"{}\" />\n    ", escaped(content))
}

/// Returns a contact as a link, if it is a web address or an email address.
fn contact_link(contact: &Contact) -> String {
    let text = contact.as_str();
    let is_one_word = !text.contains(char::is_whitespace);
    let shown = escaped(text);
    match text.split_once('@') {
        _ if is_one_word && text.starts_with("https://") => format!("<a href=\"{shown}\">{shown}</a>"),
        Some((_, host)) if is_one_word && host.contains('.') && !text.contains(':') => {
            format!("<a href=\"mailto:{shown}\">{shown}</a>")
        }
        _ => shown,
    }
}

/// Returns a text in which nothing is markup of HTML or XML.
pub(crate) fn escaped(text: &str) -> String {
    let mut written = String::with_capacity(text.len());
    for symbol in text.chars() {
        match symbol {
            '&' | '<' | '>' | '"' | '\'' => _ = write!(written, "&#{};", u32::from(symbol)),
            _ => written.push(symbol),
        }
    }
    written
}

/// Returns the media type of a file by the extension of its name.
fn media_type(name: &str) -> &'static str {
    match name.rsplit_once('.') {
        Some((_, "js")) => "text/javascript; charset=utf-8",
        Some((_, "css")) => "text/css; charset=utf-8",
        Some((_, "svg")) => "image/svg+xml",
        _ => "text/plain; charset=utf-8",
    }
}
