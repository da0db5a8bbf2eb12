//! Cards and badges as SVG, and their pictures.

use std::fmt::{Display, Write as _};
use std::sync::{Arc, LazyLock};

use png::{BitDepth, ColorType, Encoder, Filter};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::fontdb::Database;
use resvg::usvg::{Options, Tree};
use sports_calibration::SampleSize;
use sports_domain::rounded;
use sports_performance::{SHARE_PLACES, Tally};
use sports_ports::PortError;
use sports_program::settings::Accent;
use sports_publication::ForecastSource;
use sports_usecases::analytics::ModelReliability;
use sports_usecases::moment::LeagueMoment;

use super::escaped;
use super::figures::Figures;
use crate::state;

/// The size of a card, which readers of links expect.
const CARD: (u32, u32) = (1200, 630);

const BADGE: (u32, u32) = (500, 82);

/// The form of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Look {
    /// SVG, in the scheme of its reader.
    Svg,
    Png(Scheme),
}

/// The colours of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Scheme {
    Light,
    Dark,
}

impl Scheme {
    /// Returns the scheme of this name.
    pub(super) fn by_name(name: &str) -> Option<Self> {
        match name {
            "light" => Some(Self::Light),
            "dark" => Some(Self::Dark),
            _ => None,
        }
    }

    /// Returns the rules of this scheme, with the colours of the page.
    fn rules(self, accent: Option<Accent>) -> String {
        let [light, dark] = Accent::PAPERS;
        let (paper, ink, muted, rule, band, mark) = match self {
            Self::Light => (light, "#1a1f24", "#555e67", "#d9dcd6", "#7a8a9a", "#c2410c"),
            Self::Dark => (dark, "#e7eaec", "#a5aeb7", "#343c44", "#a5b4c4", "#ff9a5c"),
        };
        let mark = accent.map_or_else(|| mark.to_owned(), |accent| accent.to_string());
        format!(
            ".paper{{fill:{paper}}}.ink{{fill:{ink}}}.muted{{fill:{muted}}}.rule{{stroke:{rule}}}\
             .band{{fill:{band};fill-opacity:.25}}.mark{{fill:{mark}}}.line{{stroke:{mark}}}"
        )
    }
}

/// What a card says beside the figures.
#[derive(Clone, Hash)]
pub(super) struct Site {
    name: Option<String>,
    /// The address of the service without its scheme.
    address: String,
    accent: Option<String>,
    is_simulated: bool,
    models_hidden: usize,
}

impl Site {
    pub(super) fn of(site: &state::Site, moment: &LeagueMoment) -> Self {
        let address = site.public_url.as_ref().map_or("", |url| url.as_str());
        Self {
            name: site.name.as_ref().map(ToString::to_string),
            address: address.split_once("://").map_or("", |(_, address)| address).to_owned(),
            accent: site.accent.map(|accent| accent.to_string()),
            is_simulated: moment.is_simulated(),
            models_hidden: moment.hidden_models().len(),
        }
    }

    fn hidden(&self) -> String {
        match self.models_hidden {
            0 => "All models of the league are public".to_owned(),
            1 => "1 model of the league is not public: the best of many is luck, too".to_owned(),
            several => format!("{several} models of the league are not public: the best of many is luck, too"),
        }
    }
}

/// A share of one as a percentage with one decimal.
fn percent(share: f64) -> String {
    format!("{:.1} %", rounded(share, SHARE_PLACES) * 100.0).replace('-', "−")
}

/// A return as a percentage with its sign.
fn signed(share: f64) -> String {
    let text = percent(share);
    if share > 0.0 { format!("+{text}") } else { text }
}

fn known(value: Option<f64>, written: fn(f64) -> String) -> String {
    value.map_or_else(|| "–".to_owned(), written)
}

/// The figures in words.
struct Words {
    title: String,
    record: String,
    decided: String,
    win_rate: String,
    wilson: String,
    break_even: String,
    ev_roi: String,
    /// The interval of the return, or the reason for which there is none.
    roi_note: String,
    recorded: String,
    proven: String,
}

impl Words {
    fn of(figures: &Figures) -> Self {
        let Figures { market, season, summary, tracked, .. } = figures;
        let tally = summary.as_ref().map(|of| of.summary.season.all);
        let (wins, losses) = tally.map_or((0, 0), |tally| (tally.wins, tally.losses));
        let interval = |interval: Option<_>, written: fn(f64) -> String| {
            interval.map_or_else(
                || "too few games".to_owned(),
                |of: sports_calibration::Interval| format!("95 %: {} to {}", written(of.low), written(of.high)),
            )
        };
        let recorded = tracked.map_or(0, |of| of.recorded);
        Self {
            title: format!("{} · {} · {season}", market.sport.name(), market.model_type.name()),
            record: format!("{wins}–{losses}"),
            decided: format!("{} decided games", tally.map_or(0, Tally::games)),
            win_rate: known(tally.and_then(Tally::win_share), percent),
            wilson: interval(summary.and_then(|of| of.win_rate), percent),
            break_even: known(summary.and_then(|of| of.break_even), percent),
            ev_roi: known(summary.and_then(|of| of.summary.season.staked.roi()), signed),
            roi_note: match summary {
                Some(of) if of.break_even.is_none() => "no prices on record".to_owned(),
                _ => interval(summary.as_ref().and_then(|of| of.roi), signed),
            },
            recorded: format!("{recorded} forecasts recorded before the start"),
            proven: match tracked.map_or(Some(0), |of| of.proven) {
                Some(proven) => format!("{proven} of them proven by others"),
                None => "proofs cannot be counted now".to_owned(),
            },
        }
    }
}

/// An SVG that is being written.
struct Svg(String);

impl Svg {
    fn begin((width, height): (u32, u32), style: &str, label: &str) -> Self {
        const FONT: &str = "Inter,system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans','Liberation Sans',sans-serif";
        let label = escaped(label);
        Self(format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
             role=\"img\" aria-label=\"{label}\"><title>{label}</title><style>text{{font-family:{FONT};font-variant-numeric:tabular-nums}}\
             .bold{{font-weight:700}}{style}</style><rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>"
        ))
    }

    fn text(&mut self, class: &str, (x, y): (f64, f64), size: u32, text: &str) {
        _ = write!(self.0, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>", escaped(text));
    }

    /// Writes a text that is no wider than `room`, in any font of its reader.
    fn text_within(&mut self, class: &str, (x, y): (f64, f64), sizes: Sizes, room: f64, text: &str) {
        let (size, text) = fitted(class, sizes, room, text);
        let wide = width(class, size, &text);
        // Other fonts than ours are some percent wider.
        let length = if wide * 1.3 > room {
            format!(" textLength=\"{wide:.1}\" lengthAdjust=\"spacingAndGlyphs\"")
        } else {
            String::new()
        };
        let text = escaped(&text);
        _ = write!(self.0, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{length}>{text}</text>");
    }

    fn text_before(&mut self, class: &str, (x, y): (f64, f64), size: u32, text: &str) {
        let text = escaped(text);
        _ = write!(
            self.0,
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" font-size=\"{size}\" text-anchor=\"end\">{text}</text>"
        );
    }

    fn rect(&mut self, class: &str, (x, y): (f64, f64), (width, height): (f64, f64)) {
        _ = write!(
            self.0,
            "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>"
        );
    }

    /// Draws a line through points.
    fn line(&mut self, class: &str, width: impl Display, points: impl IntoIterator<Item = (f64, f64)>) {
        let points: Vec<_> = points.into_iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let points = points.join(" ");
        _ = write!(self.0, "<polyline class=\"{class}\" fill=\"none\" stroke-width=\"{width}\" points=\"{points}\"/>");
    }

    fn end(self) -> String {
        self.0 + "</svg>"
    }
}

/// Returns the rules of a picture: those of one scheme, or of that of the reader.
fn style(look: Look, site: &Site) -> String {
    let accent = site.accent.as_ref().and_then(|accent| accent.parse().ok());
    match look {
        Look::Png(scheme) => scheme.rules(accent),
        Look::Svg => {
            let [light, dark] = [Scheme::Light, Scheme::Dark].map(|scheme| scheme.rules(accent));
            format!("{light}@media(prefers-color-scheme:dark){{{dark}}}")
        }
    }
}

/// The size of a text, and the least one.
type Sizes = (f64, f64);

/// Returns the largest size at which a text is no wider than `room`; at the least size the end of a longer text gives way to an ellipsis.
fn fitted(class: &str, (size, least): Sizes, room: f64, text: &str) -> (f64, String) {
    let at_size = width(class, size, text);
    if at_size <= room {
        return (size, text.to_owned());
    }
    let fitting = (size * room / at_size * 10.0).floor() / 10.0;
    if fitting >= least {
        return (fitting, text.to_owned());
    }
    let letters: Vec<char> = text.chars().collect();
    let shortened = |count: usize| letters[..count].iter().collect::<String>() + "…";
    let (mut most, mut fits) = (letters.len(), 0);
    // The width grows with each letter.
    while fits + 1 < most {
        let middle = usize::midpoint(fits, most);
        if width(class, least, &shortened(middle)) <= room { fits = middle } else { most = middle }
    }
    (least, shortened(fits))
}

/// Returns the width of a text in the font of pictures.
fn width(class: &str, size: f64, text: &str) -> f64 {
    let (weight, text) = (if class.ends_with("bold") { "bold" } else { "normal" }, escaped(text));
    let svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\">\
         <text font-size=\"100\" font-weight=\"{weight}\">{text}</text></svg>"
    );
    Tree::from_str(&svg, &OPTIONS).map_or(0.0, |tree| f64::from(tree.root().abs_bounding_box().width()) * size / 100.0)
}

/// The margin of a card.
const LEFT: f64 = 64.0;

/// The right end of a card.
const RIGHT: f64 = 1136.0;

/// Draws a card.
pub(super) fn card(figures: &Figures, site: &Site, look: Look) -> String {
    let (words, model) = (Words::of(figures), figures.model.as_str());
    let label = format!("{model}, {}: {}, {}", words.title, words.record, words.win_rate);
    let mut svg = Svg::begin(CARD, &style(look, site), &label);
    svg.rect("mark", (0.0, 0.0), (f64::from(CARD.0), 12.0));
    let publisher = site.name.as_deref().unwrap_or(&site.address);
    let mut room = RIGHT - LEFT;
    if site.is_simulated {
        svg.text_before("muted bold", (RIGHT, 74.0), 26, "Simulated data");
        room -= 240.0;
    }
    svg.text_within("ink bold", (LEFT, 74.0), (28.0, 16.0), room, publisher);
    svg.text_within("ink bold", (LEFT, 156.0), (64.0, 20.0), RIGHT - LEFT, model);
    svg.text("muted", (LEFT, 204.0), 28, &words.title);
    svg.line("rule", 2, [(LEFT, 236.0), (RIGHT, 236.0)]);
    let columns = [
        ("Wins–losses", &words.record, &words.decided),
        ("Win rate", &words.win_rate, &words.wilson),
        ("Break-even", &words.break_even, &"at recorded prices".to_owned()),
        ("Return of a bet", &words.ev_roi, &words.roi_note),
    ];
    for ((name, value, note), x) in columns.into_iter().zip([LEFT, 364.0, 632.0, 870.0]) {
        svg.text("muted", (x, 280.0), 22, name);
        svg.text("ink bold", (x, 334.0), 46, value);
        svg.text("muted", (x, 370.0), 20, note);
    }
    svg.line("rule", 2, [(LEFT, 400.0), (RIGHT, 400.0)]);
    svg.text("ink bold", (LEFT, 452.0), 26, &words.recorded);
    svg.text("ink bold", (LEFT, 490.0), 26, &words.proven);
    svg.text("muted", (LEFT, 530.0), 20, &site.hidden());
    let date = figures.published_at.format("%Y-%m-%d");
    let room = if figures.reliability.is_some() { 680.0 } else { RIGHT - LEFT };
    svg.text_within("muted", (LEFT, 588.0), (20.0, 12.0), room, &format!("As of {date} · {}", site.address));
    if let Some(reliability) = &figures.reliability {
        calibration(&mut svg, reliability);
    }
    svg.end()
}

/// Draws a reliability diagram: the rate of wins over the probability, and the band of chance around what is right.
fn calibration(svg: &mut Svg, ModelReliability { source, games, blocks }: &ModelReliability) {
    const PLACE: (f64, f64) = (800.0, 424.0);
    const SIZE: (f64, f64) = (336.0, 136.0);
    let kind = match source {
        ForecastSource::Live => "live",
        ForecastSource::WalkForward => "backtest",
    };
    let about = format!("Calibration: {games} {kind} forecasts");
    // As the page does, which has no figures of so few.
    if SampleSize::from_games(*games) == SampleSize::TooFew {
        return svg.text_before("muted", (RIGHT, 588.0), 20, &format!("{about}, too few to draw"));
    }
    let x = |share: f64| PLACE.0 + share * SIZE.0;
    let y = |share: f64| PLACE.1 + (1.0 - share) * SIZE.1;
    for (block, band) in blocks {
        let width = (x(block.p_max) - x(block.p_min)).max(3.0);
        svg.rect("band", (x(block.p_min), y(band.high)), (width, y(band.low) - y(band.high)));
    }
    svg.line("rule", 2, [(0.0, 0.0), (1.0, 1.0)].map(|(p, rate)| (x(p), y(rate))));
    let [left, right] = [x(0.0), x(1.0)];
    svg.line("rule", 2, [(left, y(1.0)), (left, y(0.0)), (right, y(0.0))]);
    let steps = blocks.iter().flat_map(|(block, _)| [block.p_min, block.p_max].map(|p| (x(p), y(block.rate()))));
    svg.line("line", 4, steps);
    svg.text_before("muted", (RIGHT, 588.0), 20, &about);
}

/// Draws a badge.
pub(super) fn badge(figures: &Figures, site: &Site) -> String {
    const ROOM: f64 = 468.0;
    let (words, model) = (Words::of(figures), figures.model.as_str());
    let label = format!("{model}, {}: {}, {}", words.title, words.record, words.win_rate);
    let mut svg = Svg::begin(BADGE, &style(Look::Svg, site), &label);
    svg.rect("mark", (0.0, 0.0), (5.0, f64::from(BADGE.1)));
    let Figures { market, season, .. } = figures;
    let league = market.sport.code().to_uppercase();
    let of = format!(" · {league} · {} · {season}", market.model_type.name());
    let (_, name) = fitted("ink bold", (14.0, 14.0), ROOM - width("ink bold", 14.0, &of), model);
    svg.text_within("ink bold", (18.0, 22.0), (14.0, 10.0), ROOM, &format!("{name}{of}"));
    let figures_line = [
        words.record.as_str(),
        &format!("{} (to break even {})", words.win_rate, words.break_even),
        &format!("return {}", words.ev_roi),
    ];
    svg.text_within("ink", (18.0, 44.0), (14.0, 10.0), ROOM, &figures_line.join(" · "));
    let simulated = if site.is_simulated { "Simulated · " } else { "" };
    let hidden = match site.models_hidden {
        0 => String::new(),
        1 => " · 1 hidden model".to_owned(),
        several => format!(" · {several} hidden models"),
    };
    let recorded = figures.tracked.map_or(0, |of| of.recorded);
    let proven =
        figures.tracked.and_then(|of| of.proven).map_or_else(String::new, |proven| format!(", {proven} proven"));
    let line = format!("{simulated}{recorded} recorded{proven}{hidden} · {}", site.address);
    svg.text_within("muted", (18.0, 66.0), (13.0, 10.0), ROOM, &line);
    svg.end()
}

/// The fonts of pictures. None of the machine is read.
static OPTIONS: LazyLock<Options<'static>> = LazyLock::new(|| {
    let mut fonts = Database::new();
    for font in
        [include_bytes!("../../../fonts/Inter-Regular.ttf").as_slice(), include_bytes!("../../../fonts/Inter-Bold.ttf")]
    {
        fonts.load_font_data(font.to_vec());
    }
    Options { font_family: "Inter".to_owned(), fontdb: Arc::new(fonts), ..Options::default() }
});

/// Returns an SVG of the size of a card as PNG.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, PortError> {
    let corrupt = |error: &dyn Display| PortError::corrupt("a card", error.to_string());
    let tree = Tree::from_str(svg, &OPTIONS).map_err(|error| corrupt(&error))?;
    let mut pixels = Pixmap::new(CARD.0, CARD.1).ok_or_else(|| corrupt(&"it has no size"))?;
    resvg::render(&tree, Transform::identity(), &mut pixels.as_mut());
    let mut written = Vec::new();
    let mut encoder = Encoder::new(&mut written, CARD.0, CARD.1);
    encoder.set_color(ColorType::Rgba);
    encoder.set_depth(BitDepth::Eight);
    // Flat colours are small without a filter, in half of the time.
    encoder.set_filter(Filter::NoFilter);
    // The paper is opaque, so premultiplied colours are the colours.
    let ended = encoder.write_header().and_then(|mut writer| writer.write_image_data(pixels.data()));
    ended.map_err(|error| corrupt(&error))?;
    Ok(written)
}

#[cfg(test)]
mod tests {
    use resvg::usvg::{Group, Node, Rect};
    use sports_domain::{Market, ModelName, ModelType, Season, Sport};
    use sports_performance::{ModelSummary, Span, Staked, Summarised};
    use sports_usecases::analytics::{FollowedRecord, SummarisedModel};

    use super::*;

    fn figures(name: &str) -> Figures {
        let model: ModelName = name.parse().expect("a name");
        let season = Span { all: Tally { wins: 200, losses: 188 }, ..Span::default() };
        let spans = (Span::default(), Span::default());
        let summary = ModelSummary {
            of: Summarised::Model(model),
            season,
            one_week: spans.0,
            four_weeks: spans.1,
            valued: Staked::default(),
        };
        Figures {
            model,
            market: Market::new(Sport::Nfl, ModelType::WonOnSpread),
            season: Season::parse(Sport::Nfl, "2023-24").expect("a season"),
            published_at: "2024-01-07T02:00:00Z".parse().expect("an instant"),
            summary: Some(SummarisedModel {
                summary,
                win_rate: None,
                break_even: None,
                roi: None,
                picks: FollowedRecord::default(),
                bets: FollowedRecord::default(),
            }),
            reliability: Some(ModelReliability { source: ForecastSource::WalkForward, games: 388, blocks: Vec::new() }),
            tracked: None,
        }
    }

    fn site(name: &str, address: &str) -> Site {
        let (name, address) = (Some(name.to_owned()), address.to_owned());
        Site { name, address, accent: None, is_simulated: true, models_hidden: 2 }
    }

    /// Returns the place of each text.
    fn places(group: &Group) -> Vec<Rect> {
        let of = |node: &Node| match node {
            Node::Group(group) => places(group),
            Node::Text(text) => vec![text.abs_bounding_box()],
            _ => Vec::new(),
        };
        group.children().iter().flat_map(of).collect()
    }

    #[test]
    fn no_text_leaves_the_picture_or_is_on_another() {
        let (wide, long) = ("W".repeat(32), format!("{}.example.com", "a-long-name.".repeat(6) + "wwww"));
        assert_eq!(long.len(), 88);
        for model in ["ELO", "elo_with_a_name_of_its_own", &wide] {
            for (name, address) in
                [("Elo by Ann", "picks.example"), (&*"W".repeat(60), &*long), ("Elo", &*long.repeat(4))]
            {
                let (figures, site) = (figures(model), site(name, address));
                let pictures =
                    [(card(&figures, &site, Look::Png(Scheme::Light)), RIGHT), (badge(&figures, &site), 490.0)];
                for (svg, right) in pictures {
                    let tree = Tree::from_str(&svg, &OPTIONS).expect("an SVG");
                    let places = places(tree.root());
                    assert!(places.len() > 2, "{svg}");
                    for (number, place) in places.iter().enumerate() {
                        assert!(place.left() >= 0.0 && f64::from(place.right()) <= right + 1.0, "{place:?}: {svg}");
                        let is_over = |other: &Rect| {
                            place.left() < other.right()
                                && other.left() < place.right()
                                && place.top() < other.bottom()
                                && other.top() < place.bottom()
                        };
                        assert!(!places[..number].iter().any(is_over), "{place:?}: {svg}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_badge_shortens_a_long_name_and_keeps_the_season() {
        let svg = badge(&figures(&"W".repeat(32)), &site("Elo by Ann", "picks.example"));
        let (_, title) = svg.split_once(">WWWW").expect("a title");
        let (title, _) = title.split_once("</text>").expect("an end");
        assert!(title.contains("W… · NFL · ") && title.ends_with(" · 2023-24"), "{title}");
        let usual = badge(&figures("elo_of_ann"), &site("Elo by Ann", "picks.example"));
        assert!(usual.contains(">elo_of_ann · NFL · "), "{usual}");
    }

    #[test]
    fn a_market_without_prices_says_so() {
        let mut figures = figures("ELO");
        let written = |figures: &Figures| card(figures, &site("Elo", "picks.example"), Look::Svg);
        let svg = written(&figures);
        assert!(svg.contains(">388 decided games<") && svg.contains(">no prices on record<"), "{svg}");
        figures.summary.as_mut().expect("a summary").break_even = Some(0.52);
        assert!(!written(&figures).contains("no prices"));
        figures.summary = None;
        assert!(!written(&figures).contains("no prices"));
    }
}
