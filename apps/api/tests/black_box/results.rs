mod caching;
mod formats;
mod paging;
mod parameters;
mod snapshots;
