mod caching;
mod filters;
mod formats;
mod paging;
mod parameters;
mod ranges;
mod season_tables;
mod snapshots;
