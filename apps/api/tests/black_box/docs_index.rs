//! The links of the docs, followed from the README.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::terminal::root;

fn pages_of(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

/// Returns a page without its blocks of code, in which nothing is a link or a heading.
fn prose(page: &Path) -> String {
    let page = fs::read_to_string(page).expect("a page");
    let mut code = false;
    let lines = page.lines().filter(|line| {
        let fence = line.starts_with("```");
        code ^= fence;
        !code && !fence
    });
    lines.fold(String::new(), |text, line| text + line + "\n")
}

/// Returns the targets of a page's links, without other sites.
fn links(prose: &str) -> Vec<&str> {
    let targets = prose.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target);
    targets.filter(|target| !target.contains("://")).collect()
}

/// Returns the anchors of a page's headings and marks.
fn anchors(prose: &str) -> BTreeSet<String> {
    let headings = prose.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let named = |heading: &str| {
        let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect()
    };
    let marks = prose.split("<a id=\"").skip(1).filter_map(|rest| rest.split('"').next()).map(str::to_owned);
    headings.map(named).chain(marks).collect()
}

#[test]
fn every_link_of_the_docs_has_a_target() {
    let of_the_root = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "deploy/README.md"];
    let mut pages: Vec<_> = of_the_root.iter().map(|page| root().join(page)).collect();
    pages.extend(["docs", "docs/design"].iter().flat_map(|folder| pages_of(&root().join(folder))));
    let crates = fs::read_dir(root().join("crates")).expect("a folder").map(|entry| entry.expect("an entry").path());
    pages.extend(crates.flat_map(|folder| pages_of(&folder)));
    let mut broken = Vec::new();
    for page in pages {
        let text = prose(&page);
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.parent().expect("a folder").join(file) };
            let known = target.exists() && (anchor.is_empty() || anchors(&prose(&target)).contains(anchor));
            if !known {
                broken.push(format!("{}: {link}", page.display()));
            }
        }
    }
    assert_eq!(broken, Vec::<String>::new());
}

#[test]
fn the_book_lists_every_page_once() {
    let docs = root().join("docs");
    let contents = prose(&docs.join("SUMMARY.md"));
    let mut listed: Vec<_> = links(&contents).into_iter().map(|link| docs.join(link)).collect();
    let mut pages = [pages_of(&docs), pages_of(&docs.join("design"))].concat();
    pages.retain(|page| !page.ends_with("SUMMARY.md"));
    listed.sort();
    pages.sort();
    assert_eq!(listed, pages);
}

#[test]
fn the_readme_leads_to_every_page() {
    let readme = prose(&root().join("README.md"));
    let linked: BTreeSet<_> = links(&readme).into_iter().map(|link| link.split('#').next().expect("a part")).collect();
    for page in pages_of(&root().join("docs")).into_iter().filter(|page| !page.ends_with("SUMMARY.md")) {
        let name = format!("docs/{}", page.file_name().expect("a name").to_string_lossy());
        assert!(linked.contains(name.as_str()), "{name} is not in the README");
    }
}
