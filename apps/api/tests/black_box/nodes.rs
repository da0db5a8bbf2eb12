//! Drills of many nodes, with real processes. They are a program of their own, so that their time limits are about
//! the nodes, and not about a machine that is busy with other tests.
#![cfg(unix)]

mod cluster;
#[expect(dead_code, reason = "some of it looks at the files of one machine")]
mod folder;
#[expect(dead_code, reason = "some of it looks at the files of one machine")]
mod places;
#[expect(dead_code, reason = "some of it is for the tests of one machine")]
mod service;
