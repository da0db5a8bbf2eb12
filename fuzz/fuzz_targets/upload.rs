#![no_main]

sports_fuzz::target!("upload");
