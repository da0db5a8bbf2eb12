#![no_main]

sports_fuzz::target!("odds_feed");
