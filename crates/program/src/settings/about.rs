//! The publisher's text about a site: Markdown of a safe subset, rendered once.

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Parser, Tag, TagEnd, html};
use sports_domain::{FormError, is_hidden};

/// A text about a site, in Markdown with headings, emphasis, lists, and links of `https:` and `mailto:`. It has 1 to
/// [`LONGEST`](Self::LONGEST) characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct About {
    markdown: String,
    html: String,
    summary: String,
}

impl About {
    /// The maximum length, in characters.
    pub const LONGEST: usize = 4_000;

    /// The maximum length of a summary, in characters: readers of links show about as many.
    const SUMMARY: usize = 200;

    /// Checks and renders a text.
    ///
    /// # Errors
    ///
    /// [`FormError`] with what the text has too much of, and what to do.
    pub fn new(markdown: &str) -> Result<Self, FormError> {
        let length = markdown.chars().count();
        if markdown.trim().is_empty() || length > Self::LONGEST {
            let longest = Self::LONGEST;
            return Err(FormError::new(format!(
                "a text of 1 to {longest} characters; this one has {length}: shorten it"
            )));
        }
        if let Some(hidden) = markdown.chars().find(|symbol| is_hidden(*symbol) && !"\n\r\t".contains(*symbol)) {
            return Err(FormError::new(format!("a text without U+{:04X}, which is invisible", u32::from(hidden))));
        }
        let events = Parser::new(markdown).map(shown).collect::<Result<Vec<_>, _>>()?;
        let summary = summary(&events);
        let mut html = String::new();
        html::push_html(&mut html, events.into_iter());
        Ok(Self { markdown: markdown.to_owned(), html, summary })
    }

    /// Returns the text as it was set.
    pub fn as_str(&self) -> &str {
        &self.markdown
    }

    /// Returns the text as HTML, whose headings are of the levels 3 and 4.
    pub fn html(&self) -> &str {
        &self.html
    }

    /// Returns the beginning of the first paragraph, without markup.
    pub fn summary(&self) -> &str {
        &self.summary
    }
}

/// Returns a part of the text as it is shown: headings are below those of a page.
fn shown(event: Event<'_>) -> Result<Event<'_>, FormError> {
    const HEADINGS: [HeadingLevel; 2] = [HeadingLevel::H3, HeadingLevel::H4];
    let below = |level: HeadingLevel| HEADINGS[usize::from(level > HeadingLevel::H1)];
    let part = match &event {
        Event::Start(Tag::Heading { level, .. }) => {
            return Ok(Event::Start(Tag::Heading { level: below(*level), id: None, classes: vec![], attrs: vec![] }));
        }
        Event::End(TagEnd::Heading(level)) => return Ok(Event::End(TagEnd::Heading(below(*level)))),
        Event::Start(Tag::Link { link_type, dest_url, .. }) => {
            // `<me@example.com>` is a link of `mailto:`.
            let is_open = *link_type == LinkType::Email
                || ["https://", "mailto:"].iter().any(|scheme| starts_with(dest_url, scheme));
            if is_open {
                return Ok(event);
            }
            return Err(FormError::new(format!(
                "links that start with https:// or mailto:; write `{dest_url}` as one of them"
            )));
        }
        Event::Start(Tag::Paragraph | Tag::List(_) | Tag::Item | Tag::Emphasis | Tag::Strong)
        | Event::End(_)
        | Event::Text(_)
        | Event::SoftBreak
        | Event::HardBreak
        | Event::Rule => return Ok(event),
        Event::Start(Tag::Image { .. }) => "an image: set `site.logo`, or link to it",
        Event::Start(Tag::HtmlBlock) | Event::Html(_) | Event::InlineHtml(_) => {
            "HTML: write it as Markdown, and `<` as `&lt;`"
        }
        Event::Start(Tag::CodeBlock(_)) | Event::Code(_) => {
            "code: leave out the backticks and the spaces at the start of lines"
        }
        Event::Start(Tag::BlockQuote(_)) => "a quotation: leave out `>` at the start of lines",
        _ => "other markup: leave it out",
    };
    Err(FormError::new(format!("headings, emphasis, lists, and links of https and mailto; this one has {part}")))
}

fn starts_with(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
}

/// Returns the beginning of the first paragraph.
fn summary(events: &[Event<'_>]) -> String {
    let paragraph = events.iter().skip_while(|event| **event != Event::Start(Tag::Paragraph));
    let texts =
        paragraph.take_while(|event| **event != Event::End(TagEnd::Paragraph)).filter_map(|event| match event {
            Event::Text(text) => Some(text.clone()),
            Event::SoftBreak | Event::HardBreak => Some(CowStr::Borrowed(" ")),
            _ => None,
        });
    let whole: String = texts.map(CowStr::into_string).collect();
    if whole.chars().count() <= About::SUMMARY {
        return whole;
    }
    whole.chars().take(About::SUMMARY - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subset_is_rendered_and_its_texts_are_escaped() {
        let about = About::new(
            "# Who\n\nI *bet* on **math** & \"luck\"\n& more.\n\n- [mail](mailto:a@example.com)\n- <b@example.com>\n\n## More\n",
        );
        let expected = "<h3>Who</h3>\n<p>I <em>bet</em> on <strong>math</strong> &amp; \"luck\"\n&amp; more.</p>\n<ul>\n\
                        <li><a href=\"mailto:a@example.com\">mail</a></li>\n<li><a href=\"mailto:b@example.com\">b@example.com</a></li>\n\
                        </ul>\n<h4>More</h4>\n";
        let about = about.expect("a text");
        assert_eq!((about.html(), about.summary()), (expected, "I bet on math & \"luck\" & more."));
        let long = About::new(&"é".repeat(About::LONGEST)).expect("as long as may be");
        assert_eq!(long.summary().chars().count(), 200);
    }

    #[test]
    fn what_could_run_or_load_is_refused_with_what_to_do() {
        for (text, expected) in [
            ("", "a text of 1 to 4000 characters"),
            (" \n ", "a text of 1 to 4000 characters"),
            (&"x".repeat(100_000) as &str, "this one has 100000: shorten it"),
            ("<script>alert(1)</script>", "HTML: write it as Markdown"),
            ("a <b onclick=x>b</b>", "HTML: write it as Markdown"),
            ("<!-- x -->", "HTML: write it as Markdown"),
            ("![logo](https://example.com/x.png)", "an image: set `site.logo`"),
            ("[x](javascript:alert(1))", "links that start with https:// or mailto:; write `javascript:alert(1)`"),
            ("[x](http://example.com)", "write `http://example.com` as one of them"),
            ("[x](//example.com)", "links that start with https://"),
            ("[x](/a)", "links that start with https://"),
            ("[x][y]\n\n[y]: data:text/html,x", "links that start with https://"),
            ("<ftp://example.com>", "links that start with https://"),
            ("    code", "code: leave out"),
            ("`code`", "code: leave out"),
            ("> quote", "a quotation: leave out"),
            ("a\u{202e}b", "a text without U+202E"),
        ] {
            let error = About::new(text).expect_err(text).to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
