//! Rules of one's own: parsing, normal form, identity, sentence and neighbours.

use sports_domain::{Market, ModelColumn, ModelName, ModelType, Season, Sport};
use sports_strategies::{Rule, RuleContext, RuleError, RuleParameter, RuleRequest, Strategy};

const MODELS: [ModelName; 3] =
    [ModelName::of(ModelColumn::Blend), ModelName::of(ModelColumn::Rf), ModelName::of(ModelColumn::Xgb)];

fn season(label: &str) -> Season {
    Season::parse(Sport::Nfl, label).expect("a season")
}

/// Parses the query of an address, whose values are decoded.
fn parse_in(model_type: ModelType, query: &str) -> Result<RuleRequest, RuleError> {
    let seasons = ["2021-22", "2022-23", "2023-24"].map(season);
    let context = RuleContext {
        market: Market::new(Sport::Nfl, model_type),
        models: &MODELS,
        default_model: MODELS[0],
        seasons: &seasons,
        default_season: seasons[2],
    };
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    Rule::parse(context, pairs.map(|pair| pair.split_once('=').expect("a pair")))
}

fn spread(query: &str) -> Rule {
    parse_in(ModelType::WonOnSpread, query).expect(query).rule
}

fn parameters(rule: &Rule) -> String {
    rule.parameters().iter().map(ToString::to_string).collect::<Vec<_>>().join("&")
}

fn refusal(model_type: ModelType, query: &str) -> String {
    parse_in(model_type, query).expect_err(query).to_string()
}

#[test]
fn a_wrong_parameter_is_refused_by_its_name_with_a_remedy() {
    let fraction = "must be a fraction from -1 to 1, such as 0.03 for three percent";
    let price = "must be American odds, a whole number of 100 or more or of -100 or less, such as -110";
    let table = [
        ("min_edge=nan", "min_edge", fraction),
        ("min_edge=inf", "min_edge", fraction),
        ("min_edge=1e400", "min_edge", fraction),
        ("min_edge=3 %", "min_edge", fraction),
        ("max_edge=3", "max_edge", fraction),
        ("min_ev=0,03", "min_ev", fraction),
        ("max_ev=", "max_ev", fraction),
        ("min_probability=-0.1", "min_probability", "must be a probability from 0 to 1, such as 0.55"),
        ("min_edge=0.05&max_edge=0.03", "min_edge", "must not be above `max_edge`"),
        ("min_price=-110&max_price=-120", "min_price", "must not be above `max_price`"),
        ("min_price=50", "min_price", price),
        ("min_price=-110.5", "min_price", price),
        ("max_price=1e300", "max_price", price),
        ("min_line=NaN", "min_line", "must be a number of points from -1000 to 1000, such as 44.5 or -3.5"),
        ("side=over", "side", "must be home, away, favourite or underdog"),
        ("bet=values", "bet", "must be value, fade_value, pick, fade, line or fade_line"),
        ("line_move=", "line_move", "must be with, against or none"),
        ("fraction=0.5", "fraction", "is of stake=kelly: send that too, or leave it out"),
        ("stake=kelly&fraction=0", "fraction", "must be a fraction above 0, at most 1, such as 0.25"),
        ("stake=kelly&max_stake=1.1", "max_stake", "must be a fraction above 0, at most 1, such as 0.25"),
        ("agree=2", "agree", "needs `models`, the models that vote, with commas between them"),
        ("models=RF", "models", "needs `agree`, the least number of them that agree"),
        ("agree=3&models=RF,XGB", "agree", "must be a whole number from 1 to 2, the number of `models`"),
        ("agree=0&models=RF,XGB", "agree", "must be a whole number from 1 to 2, the number of `models`"),
        ("agree=1&models=RF,RF", "models", "names RF more than once: name it once"),
        ("agree=1&models=A,B,C,D", "models", "names 4 models, and the league has 3: name some of these"),
        ("agree=1&models=RF,", "models", "must be names of models with commas between them"),
        ("tried=0", "tried", "must be a whole number from 1 to 100000"),
        ("tried=1.5", "tried", "must be a whole number from 1 to 100000"),
        ("tried=1e9", "tried", "must be a whole number from 1 to 100000"),
        ("month=13", "month", "must be a whole number from 1 to 12"),
        ("weekday=sun", "weekday", "must be monday, tuesday, wednesday, thursday, friday, saturday or sunday"),
        ("team=!", "team", "must be a team's slug, such as buffalo_bills"),
        ("season=2022-23,2022-23", "season", "names 2022-23 more than once: name it once"),
        ("from=2023-1-01", "from", "must be a date, YYYY-MM-DD, of the years from 1900 to 2200"),
        ("from=2023-12-02&to=2023-12-01", "from", "must not be after `to`"),
        ("hours_before=0.2", "hours_before", "must be a number of hours from 0.25 to 168"),
        ("bet=line&bet=line", "bet", "is given more than once: send it once"),
        ("accounting=recorded_v2", "accounting", "is no parameter of a rule: leave it out, rules use recorded_v2"),
        ("model=no name", "model", "must be the name of a model of the league"),
    ];
    for (query, parameter, remedy) in table {
        assert_eq!(refusal(ModelType::WonOnSpread, query), format!("`{parameter}` {remedy}"), "{query}");
    }
    for (query, parameter) in [("side=over", "side"), ("min_line=1", "min_line"), ("max_line=1", "max_line")] {
        assert!(refusal(ModelType::WonOnPoints, query).starts_with(&format!("`{parameter}` ")), "{query}");
    }
    for query in ["min_egde=0.1", "format=csv", "season=2022", "hours_before=1&forecast_source=walk_forward"] {
        let name = query.split('=').next().expect("a name");
        assert!(refusal(ModelType::WonOnSpread, query).starts_with(&format!("`{name}` ")), "{query}");
    }
}

#[test]
fn an_unknown_model_or_season_is_no_wrong_parameter() {
    let unknown = |query| parse_in(ModelType::WonOnSpread, query).expect_err(query);
    let elo: ModelName = "ELO".parse().expect("a name");
    assert_eq!(unknown("model=ELO"), RuleError::NoSuchModel(elo));
    assert_eq!(unknown("agree=1&models=RF,ELO"), RuleError::NoSuchModel(elo));
    assert_eq!(unknown("season=1999-00"), RuleError::NoSuchSeason(season("1999-00")));
    assert_eq!(unknown("season=1999-00").to_string(), "1999-00 is not a published season of this market");
}

#[test]
fn two_spellings_of_one_meaning_are_one_rule() {
    for (one, other) in [
        ("", "bet=value&stake=flat&model=BLEND&season=2023-24&forecast_source=all"),
        ("min_edge=.03", "min_edge=3e-2"),
        ("min_edge=0", "min_edge=-0.0"),
        ("min_price=-110.0&max_price=100", "max_price=-100&min_price=-110"),
        ("min_price= 120", "min_price=1.2e2"),
        ("season=all", "season=2023-24,2021-22,2022-23"),
        ("agree=2&models=XGB,RF,BLEND", "models=BLEND,RF,XGB&agree=2.0"),
        ("stake=kelly", "max_stake=0.05&fraction=.25&stake=KELLY"),
        ("team=Buffalo Bills", "team=buffalo_bills"),
    ] {
        let [one, other] = [one, other].map(spread);
        assert_eq!(one, other);
        assert_eq!((one.identity(), one.to_string()), (other.identity(), other.to_string()));
    }
    let tried = |query| parse_in(ModelType::WonOnSpread, query).expect(query);
    assert_eq!(tried("tried=40").rule, tried("").rule);
    assert_eq!((tried("tried=40").tried.get(), tried("").tried.get()), (40, 1));
}

/// Everything at once, in another order than that of the normal form.
const FULL: &str = "max_stake=.1&fraction=.5&stake=kelly&month=10&weekday=Sunday&team=buffalo_bills&models=XGB,RF&agree=2\
    &line_move=against&max_line=7&min_line=-3.5&max_price=150&min_price=-120&max_probability=.7&min_probability=.4&max_ev=.2\
    &min_ev=.01&max_edge=.1&min_edge=.03&side=underdog&bet=fade_value&hours_before=6&forecast_source=recorded&to=2023-12-31\
    &from=2022-09-01&season=2023-24,2022-23&model=RF";

#[test]
fn a_normal_form_has_one_order_and_reads_back() {
    let rule = spread(FULL);
    let expected = "model=RF&season=2022-23,2023-24&from=2022-09-01&to=2023-12-31&forecast_source=recorded&hours_before=6\
        &bet=fade_value&side=underdog&min_edge=0.03&max_edge=0.1&min_ev=0.01&max_ev=0.2&min_probability=0.4&max_probability=0.7\
        &min_price=-120&max_price=150&min_line=-3.5&max_line=7&line_move=against&agree=2&models=RF,XGB&team=buffalo_bills\
        &weekday=sunday&month=10&stake=kelly&fraction=0.5&max_stake=0.1";
    assert_eq!(parameters(&rule), expected);
    assert_eq!(spread(expected), rule);
    assert_eq!(rule.identity(), format!("sport=nfl&model_type=won_on_spread&{expected}"));
    assert_eq!(parameters(&spread("")), "");
    assert_eq!(spread("").identity(), "sport=nfl&model_type=won_on_spread&model=BLEND&season=2023-24");
    let names: Vec<_> = expected.split('&').map(|pair| pair.split('=').next().expect("a name")).collect();
    assert_eq!(
        [names, vec!["tried"]].concat(),
        RuleParameter::ALL.iter().map(|parameter| parameter.name).collect::<Vec<_>>()
    );
}

#[test]
fn a_sentence_is_one_line_that_ends_with_a_full_stop() {
    let sentences = [
        ("", "Bet one unit on the side that BLEND rates above the market of NFL spreads in 2023-24."),
        (
            "min_edge=0.03&side=underdog&min_price=-120",
            "Bet one unit on the side that BLEND rates above the market of NFL spreads in 2023-24 where it is the underdog side, \
             the edge is at least 0.03 and the price is -120 or better.",
        ),
        (
            FULL,
            "Bet 0.5 of Kelly's stake, at most 0.1 of the bank, on the side that RF rates below the market of NFL spreads in \
             2022-23 and 2023-24 from 2022-09-01 to 2023-12-31 with recorded forecasts as known 6 h before the start where it is \
             the underdog side, the edge is from 0.03 to 0.1, the expected value is from 0.01 to 0.2, the probability is from 0.4 \
             to 0.7, the price is from -120 to +150, the line is from -3.5 to +7, the line moved away from the \
             side, at least 2 of RF and XGB favour the side, the team is buffalo_bills, the day is a Sunday and the month is October.",
        ),
        (
            "bet=line&side=home&max_price=-110&line_move=none",
            "Bet one unit on the side that the line moved to, with BLEND as the model, of NFL spreads in 2023-24 where it is the \
             home side, the price is -110 or worse and the line has not moved.",
        ),
    ];
    for (query, sentence) in sentences {
        assert_eq!(spread(query).to_string(), sentence);
    }
    let total =
        parse_in(ModelType::OverUnder, "bet=pick&max_line=44.5&team=buffalo_bills&season=all").expect("a rule").rule;
    assert_eq!(
        total.to_string(),
        "Bet one unit on the side that BLEND favours of NFL totals in 2021-22, 2022-23 and 2023-24 where the line is at most \
         44.5 and buffalo_bills play."
    );
}

#[test]
fn neighbours_are_a_step_down_and_up_and_those_refused_are_left_out() {
    let neighbours = |query| {
        let neighbours = spread(query).neighbours();
        neighbours.iter().map(|near| format!("{}={}", near.parameter, near.value)).collect::<Vec<_>>().join(" ")
    };
    for (query, expected) in [
        ("", ""),
        ("min_edge=0.06", "min_edge=0.05 min_edge=0.07"),
        ("max_ev=-1", "max_ev=-0.99"),
        ("min_probability=0.5&max_probability=0.5", "min_probability=0.49 max_probability=0.51"),
        ("min_price=-110", "min_price=-120 min_price=-100"),
        ("min_price=100", "min_price=-110 min_price=110"),
        ("min_price=-105", "min_price=-115 min_price=105"),
        ("max_price=105", "max_price=-105 max_price=115"),
        ("min_line=-3&max_line=-3", "min_line=-3.5 max_line=-2.5"),
        ("agree=1&models=RF,XGB", "agree=2"),
        ("agree=2&models=RF,XGB,BLEND", "agree=1 agree=3"),
    ] {
        assert_eq!(neighbours(query), expected, "{query}");
    }
    let [down, up] = <[_; 2]>::try_from(spread("bet=pick&min_edge=0.03").neighbours()).expect("two");
    assert_eq!([down.rule, up.rule], [spread("bet=pick&min_edge=0.02"), spread("bet=pick&min_edge=0.04")]);
}

#[test]
fn each_strategy_is_a_rule_and_no_other_rule_is_one() {
    for model_type in ModelType::ALL {
        for strategy in Strategy::all() {
            let query: Vec<_> = strategy.parameters(model_type).iter().map(ToString::to_string).collect();
            let rule = parse_in(model_type, &query.join("&")).expect("a rule").rule;
            assert_eq!(rule.strategy(), Some(strategy));
        }
    }
    let fade = Strategy::named("follow_line_fade_edge_away", ModelType::WonOnSpread).ok();
    assert_eq!(spread("bet=fade_value&side=away&line_move=with&model=RF").strategy(), fade);
    for query in [
        "",
        "bet=line",
        "side=home&min_edge=0",
        "side=home&stake=kelly",
        "side=home&from=2023-10-01",
        "bet=pick&side=home",
    ] {
        assert_eq!(spread(query).strategy(), None, "{query}");
    }
}
