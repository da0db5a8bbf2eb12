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
    ($($folder:literal $name:literal)*) => { [$(($name, include_bytes!(concat!("../web/", $folder, "/", $name)).as_slice())),*] };
}

/// The page itself.
const INDEX: &str = include_str!("../web/page/index.html");

/// The files of the page by their names under the version's folder: those that `.ci/web/bundle` makes of its modules, and those for
/// timestamps, which few visitors need.
const FILES: [(&str, &[u8]); 6] = files! {
    "bundle" "licenses.txt"
    "bundle" "main.js"
    "bundle" "page.css"
    "page" "icon.svg"
    "verify" "authorities.js"
    "verify" "pkijs.js"
};

/// The name of a site without one.
const NAME: &str = "Sports model data";

/// The description of a site without a text.
const DESCRIPTION: &str = "Forecasts of sports models and their record. Research signals, no edge is guaranteed.";

/// The style sheet of a site with a colour of its own.
const ACCENT: &str = "site.css";

const HTML: &str = "text/html; charset=utf-8";

/// An address to share, and what it opens.
pub(crate) struct Link<'l> {
    pub(crate) title: &'l str,
    pub(crate) description: &'l str,
    /// The address that is opened, relative to this one.
    pub(crate) target: &'l str,
}

/// The page and its files, ready to send; each is compressed at most once per process. Addresses of files are relative, so the page
/// works below a prefix.
pub struct Page {
    /// The page without the tags about its picture.
    template: String,
    /// The page as it was sent last, with the address of its picture.
    index: ArcSwap<(Option<String>, File)>,
    pub(crate) version: String,
    /// The origins whose pages may frame an embedded figure, in the form of a content policy.
    pub(crate) frame_ancestors: String,
    /// The name of the site, as markup.
    name: String,
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
        let accent = site.accent.map(|accent| format!(":root {{ --site-accent: {accent}; }}\n"));
        let mut files: Vec<(&'static str, &'static str, Bytes)> =
            FILES.map(|(name, content)| (name, media_type(name), Bytes::from_static(content))).into();
        files.extend(accent.map(|accent| (ACCENT, media_type(ACCENT), accent.into())));
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
            frame_ancestors: match settings.http.frame_ancestors.as_slice() {
                [] => "'none'".to_owned(),
                origins => origins.join(" "),
            },
            name: escaped(site.name.as_ref().map_or(NAME, |name| name.as_str())),
            files: files.into_iter().map(file).collect(),
        })
    }

    /// Returns an address to share as a page: what a preview shows, and the way to the target.
    pub(crate) fn link(&self, link: &Link<'_>, path: &str, picture: Option<&str>) -> File {
        let (title, target) = (escaped(link.title), escaped(link.target));
        let tags = about(link.title, link.description) + &picture_tags(picture);
        let name = &self.name;
        let page = format!(
            "<!doctype html>\n<html lang=\"en\">\n  <head>\n    <meta charset=\"utf-8\" />\n    <title>{title} – {name}</title>\n    {tags}\
             <meta property=\"og:site_name\" content=\"{name}\" />\n    <meta http-equiv=\"refresh\" content=\"0; url={target}\" />\n  \
             </head>\n  <body><p><a href=\"{target}\">{title}</a></p></body>\n</html>\n"
        );
        File::new(path, HeaderValue::from_static(HTML), page.into())
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
    let page = template.replace("{picture}", picture_tags(picture).trim());
    File::new("explore", HeaderValue::from_static(HTML), page.into())
}

/// Returns the tags of a title and a description.
fn about(title: &str, description: &str) -> String {
    let og = [("og:type", "website"), ("og:title", title), ("og:description", description)];
    let tags = og.into_iter().map(|(tag, content)| meta("property", tag, content));
    std::iter::once(meta("name", "description", description)).chain(tags).collect()
}

/// Returns the tags of the absolute address of a picture.
fn picture_tags(picture: Option<&str>) -> String {
    let mut tags = String::new();
    if let Some(picture) = picture {
        tags.push_str(&meta("property", "og:image", picture));
        for (name, content) in [("og:image:width", "1200"), ("og:image:height", "630")] {
            tags.push_str(&meta("property", name, content));
        }
    }
    let card = if picture.is_some() { "summary_large_image" } else { "summary" };
    tags + &meta("name", "twitter:card", card)
}

/// Returns the page with what the publisher says.
fn template(settings: &Settings, version: &str) -> String {
    let site = &settings.site;
    let name = escaped(site.name.as_ref().map_or(NAME, |name| name.as_str()));
    let description = site.about.as_ref().map(About::summary).filter(|summary| !summary.is_empty());
    let description = description.unwrap_or(DESCRIPTION);
    let address = settings.http.public_url.as_ref().map(ServiceUrl::as_str);
    let mut tags = about(site.name.as_ref().map_or(NAME, |name| name.as_str()), description);
    tags.extend(address.map(|address| meta("property", "og:url", &format!("{address}/explore/"))));
    let accent = site.accent.map(|_| format!("<link rel=\"stylesheet\" href=\"{version}/{ACCENT}\" />"));
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
        ("{accent}", &accent.unwrap_or_default()),
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
