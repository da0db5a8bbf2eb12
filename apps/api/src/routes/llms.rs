//! The documentation for assistants, as <https://llmstxt.org> describes it: an index, every page in one file, and each page beside
//! `/docs`. None is an operation, so the document does not list them.

use std::fmt::Write as _;
use std::sync::LazyLock;

use actix_web::http::Method;
use actix_web::http::header::HeaderValue;
use actix_web::web::ServiceConfig;
use actix_web::{HttpRequest, HttpResponse};

use crate::auth::PublicCaller;
use crate::caching::File;
use crate::operation::undocumented;

/// The paths of this area.
pub(crate) const PATHS: [&str; 2] = ["/llms.txt", "/llms-full.txt"];

/// A page for users of the API.
struct Page {
    /// The name below `/docs`.
    name: &'static str,
    /// The file in the repository.
    source: &'static str,
    text: &'static str,
}

macro_rules! pages {
    ($($name:literal $source:literal)*) => {
        [$(Page { name: $name, source: $source, text: include_str!(concat!("../../../../", $source)) }),*]
    };
}

const PAGES: [Page; 9] = pages! {
    "using-the-api.md" "docs/using-the-api.md"
    "answers.md" "docs/answers.md"
    "endpoints.md" "docs/endpoints.md"
    "analytics.md" "docs/analytics.md"
    "glossary.md" "docs/glossary.md"
    "python-package.md" "clients/python/README.md"
    "typescript-package.md" "clients/typescript/README.md"
    "how-to-check-us.md" "docs/how-to-check-us.md"
    "record-format.md" "docs/record-format.md"
};

/// The page with a heading and a summary for each operation.
const OPERATIONS: &str = "endpoints.md";

/// The folder of the pages, relative to the index.
const FOLDER: &str = "docs/";

/// The description of the API, whose first line is a summary.
const DESCRIPTION: &str = include_str!("../openapi/description.md");

const PLAIN: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

static INDEX: LazyLock<File> = LazyLock::new(|| File::new("llms.txt", PLAIN, index().into()));

static WHOLE: LazyLock<File> = LazyLock::new(|| {
    let texts: Vec<_> = PAGES.iter().map(|page| with_links(page.text, FOLDER)).collect();
    File::new("llms-full.txt", PLAIN, texts.join("\n").into())
});

pub(crate) fn configure(config: &mut ServiceConfig) {
    config.service(undocumented(Method::GET, PATHS[0], send_index)).service(undocumented(
        Method::GET,
        PATHS[1],
        send_whole,
    ));
}

async fn send_index(_caller: PublicCaller, request: HttpRequest) -> HttpResponse {
    INDEX.send(&request).await
}

async fn send_whole(_caller: PublicCaller, request: HttpRequest) -> HttpResponse {
    WHOLE.send(&request).await
}

/// Returns the pages as files below `/docs`.
pub(super) fn files() -> impl Iterator<Item = (&'static str, File)> {
    let markdown = HeaderValue::from_static("text/markdown; charset=utf-8");
    PAGES.iter().map(move |page| (page.name, File::new(page.name, markdown.clone(), with_links(page.text, "").into())))
}

/// Returns the index: the description of the API, and a link to each page and each operation with a summary.
fn index() -> String {
    let (summary, details) = DESCRIPTION.split_once('\n').unwrap_or((DESCRIPTION, ""));
    let mut index = format!("# Sports model data\n\n> {summary}\n{details}\n## Pages\n\n");
    for page in &PAGES {
        let text = with_links(page.text, FOLDER);
        let title = text.lines().next().unwrap_or_default().trim_start_matches("# ");
        _ = writeln!(index, "- [{title}]({FOLDER}{}): {}", page.name, first_sentence(&text));
    }
    index.push_str("- [OpenAPI document](openapi.json): Every operation, parameter and field, in OpenAPI 3.1.\n\n## Operations\n\n");
    let operations = PAGES.iter().find(|page| page.name == OPERATIONS).map_or("", |page| page.text);
    for (heading, summary) in operations.lines().zip(operations.lines().skip(1)) {
        if let Some(operation) = heading.strip_prefix("### ") {
            _ = writeln!(index, "- [{operation}]({FOLDER}{OPERATIONS}#{}): {summary}", anchor(operation));
        }
    }
    index.push_str("\n## Optional\n\n- [Everything](llms-full.txt): The pages in one file.\n");
    index
}

/// Returns the first sentence of the first paragraph.
fn first_sentence(page: &str) -> String {
    let paragraph: Vec<_> =
        page.lines().skip(1).skip_while(|line| line.is_empty()).take_while(|line| !line.is_empty()).collect();
    let text = paragraph.join(" ");
    let end = text.find(". ").map_or(text.len(), |end| end + 1);
    text[..end].to_owned()
}

/// Returns the anchor of a heading, as renderers of Markdown make it.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|symbol| symbol.is_alphanumeric() || " -_".contains(*symbol));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// Returns a page whose links work where it is served: one to another page leads to it in `folder`, and one to a file that is not
/// served becomes its text.
fn with_links(page: &str, folder: &str) -> String {
    let mut written = String::with_capacity(page.len());
    let mut rest = page;
    while let Some((before, (target, after))) =
        rest.split_once("](").and_then(|(before, after)| Some((before, after.split_once(')')?)))
    {
        rest = after;
        let (file, fragment) = target.split_once('#').map_or((target, ""), |(file, _)| (file, &target[file.len()..]));
        let source = file.trim_start_matches("../");
        let served =
            PAGES.iter().find(|page| page.source.trim_start_matches("docs/") == source.trim_start_matches("docs/"));
        match (served, before.rfind('[')) {
            _ if file.is_empty() || target.contains("://") || target.contains(' ') => {
                _ = write!(written, "{before}]({target})");
            }
            (Some(page), _) => _ = write!(written, "{before}]({folder}{}{fragment})", page.name),
            (None, Some(label)) => {
                written.push_str(before[..label].trim_end_matches('!'));
                written.push_str(&before[label + 1..]);
            }
            (None, None) => written.push_str(before),
        }
    }
    written + rest
}
