#![no_main]

sports_fuzz::target!("folder_json");
