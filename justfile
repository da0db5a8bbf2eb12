# `just` lists the recipes. `just check` runs formatting, lints, tests, docs, dependencies and the OpenAPI document, as CI does.

set positional-arguments

export CARGO_TERM_COLOR := env("CARGO_TERM_COLOR", "auto")

[private]
default:
    @just --list --unsorted

# A server over a simulated world of six leagues, kept up to date, and a key to try it
demo *arguments:
    cargo run -- demo "$@"

# Formatting, lints, tests but slow ones, docs, dependencies, OpenAPI
check: fmt clippy test doc deny openapi-check

fmt:
    cargo fmt --all --check

clippy:
    .ci/pure_crates
    .ci/house --check
    .ci/prose
    cargo clippy --workspace --all-targets -- -D warnings

# The suite without what takes minutes, doc examples included; arguments go to cargo
test *arguments:
    cargo test --workspace "$@"

# What `just test` leaves out: several nodes, the service on PostgreSQL, Redis and S3, browsers, demos, kills of a publisher
slow:
    SPORTS_TEST_PLACES=services cargo test --workspace --no-fail-fast --test black_box -- anywhere::
    cargo test --workspace --no-fail-fast --test black_box -- cluster:: --ignored --skip are_measured
    cargo test --workspace --no-fail-fast --test black_box --test it -- --ignored --skip drills:: --skip cluster::

doc $RUSTDOCFLAGS="-D warnings":
    cargo doc --workspace --no-deps

# The pages of docs/ as a searchable site in target/book (cargo install --locked mdbook)
book *arguments:
    mdbook build "$@"

# Layering, licences, sources, advisories (cargo install --locked cargo-deny)
deny:
    .ci/deny

# Regenerate docs/openapi.json
openapi:
    cargo run -q -- openapi > target/openapi.json
    mv target/openapi.json docs/openapi.json

# docs/openapi.json is what the program prints, lints clean, and breaks no client of the last release
openapi-check:
    cargo test -q --workspace --test openapi
    .ci/openapi/lint
    .ci/openapi/breaking

# The page at /explore is formatted, linted and typed: `just web fix` formats it
web *arguments:
    .ci/web/check "$@"

# A picture of each view of the page, at 1280 and 390 pixels, light and dark, of a game and a proof, in target/explore (chromium has to be installed)
screenshots:
    cargo test --workspace --test black_box -- --ignored explore_page

# Milliseconds from a navigation to the displayed first view of the page, of a demo (chromium has to be installed)
landing *arguments:
    cargo test "$@" --workspace --test black_box -- --ignored --nocapture explore_page::landing::the_first_view_is_whole

# Clients generated from the document (typescript, hey_api, python, rust) and the npm package (package) against a demo server
client *clients:
    cargo build -q --workspace --bins
    SPORTS_LIMITS__PER_SECOND=25 .ci/with_server .ci/clients/check "$@"

# The Python package: lint, types, tests and notebooks against a demo, the wheel in an empty environment; arguments go to pytest
python *arguments:
    cargo build -q --workspace --bins
    .ci/with_server .ci/python/check "$@"
    .ci/with_server .ci/python/empty

# Write docs/notebooks.md with its pictures, from a demo
notebooks:
    cargo build -q --workspace --bins
    .ci/python/wheel
    .ci/with_server bash -c 'SPORTS_URL=$BASE_URL SPORTS_API_KEY=$API_KEY .ci/with_door nba target/ci-venv/bin/python clients/python/notebooks/render.py docs/images docs/notebooks.md'

# Run every line of docs/using-the-api.md and the tables of docs/answers.md against a demo server (R with httr2 has to be installed)
guide:
    cargo build -q --workspace --bins
    .ci/with_server .ci/docs/guide

# Walk docs/one-machine.md on a stand-in for a machine: install, publish, certificate, timers, cron, two days (caddy has to be installed)
one-machine:
    cargo build -q --workspace --bins
    .ci/docs/one_machine

# Fuzz a demo server by its OpenAPI document (`just fuzz --seed 7`), then abuse it as no document describes
fuzz *arguments:
    cargo build -q --workspace --bins
    .ci/with_server .ci/openapi/fuzz "$@"
    .ci/with_server .ci/openapi/abuse

# Faults and accidents under load, and what they cost: `just drill`, `just drill killed`, `DRILLS=full just drill`
drill *names:
    cargo test --workspace --test black_box -- "drills::${1:-}" --ignored --test-threads 1 --nocapture

# Restart two nodes behind the sample proxy 20 times under load: no request fails (nginx and PostgreSQL have to be installed)
rolling-restarts $ROLLING_RESTARTS="20":
    cargo build --workspace --bins
    REQUIRE_SERVICES=1 cargo test --workspace --test black_box rolling_restarts_behind -- --ignored --nocapture

# Run every reader of foreign bytes on its seeds and on this many mutations of each
readers $FUZZING_ROUNDS="250":
    cargo test --workspace --test replay

# Run libFuzzer on one of them, by the name of its target: `just fuzz-reader archive -max_total_time=600`
fuzz-reader target *arguments:
    fuzz/run "$@"

# Run libFuzzer on all of them for so many minutes of processor time, and print a table of them
fuzz-readers *minutes:
    fuzz/campaign "$@"

# The p99 of cheap answers under a load of expensive requests, against it without the load (wrk has to be installed)
expensive *arguments:
    .ci/expensive "$@"

# Benchmarks; arguments go to cargo
bench *arguments:
    cargo bench --workspace "$@"

# CPU time of the server for a request, against a bare actix handler: `just bench-requests --quick` (wrk has to be installed)
bench-requests *arguments:
    .ci/bench-requests "$@"

# 1,000 streams of one node with a release every ten seconds, for ten minutes: `just bench-streams --seconds 60`
bench-streams *arguments:
    .ci/bench-streams "$@"

# `sportsctl publish` of the real leagues (SPORTS_REAL_DATA) against polars reading their files
bench-publishing *arguments:
    .ci/bench-publishing "$@"

# Answers as of earlier moments: CPU time against plain reads, instructions against answers now, the p99 of others beside them
bench-moments *arguments:
    .ci/bench-moments "$@"

# What the tree of the record costs: publishing, verify, bytes, checks of a proof and an audit
bench-record *arguments:
    .ci/bench-record "$@"

# The cost of a newcomer's first two commands, `cargo run -- demo` and `cargo test --workspace`
build-cost *arguments:
    .ci/build-cost "$@"

# CPU seconds after one changed line: tests of a pure crate, tests of a route, a check of the server
inner-cycle *arguments:
    .ci/inner-cycle "$@"

# Count the instructions of hot loops and of one request, and compare them with those on record; `--accept` records them
instructions *arguments:
    .ci/instructions "$@"

# The five crates that others embed can be published as they are; nothing is uploaded
publishable:
    .ci/publishable

# Static programs in target/packages, as an archive, a wheel and a .deb, and both clients (cargo install --locked cargo-cyclonedx)
dist *profile:
    .ci/dist "$@"

# Compute the figures of the real seasons (SPORTS_REAL_DATA) twice, in Rust and by pandas and scikit-learn, and compare them
second-opinion:
    : "${SPORTS_REAL_DATA:?names the folder of real leagues}"
    SPORTS_PYTHON="$(.ci/openapi/venv)/python" SPORTS_EVERY_SEASON=1 REQUIRE_SERVICES=1 \
        cargo test --workspace --test second_opinion

# Grade the real seasons twice, in Rust and by the second opinion in exact arithmetic, and compare
oracle:
    : "${SPORTS_REAL_DATA:?names the folder of real leagues}"
    python3 -m doctest crates/grading/tests/second_opinion.py
    cargo test -p sports-grading

# Mutation testing of the pure crates by their own tests (cargo install --locked cargo-mutants); takes hours
mutants *arguments:
    .ci/mutants "$@"

# Figures of the source tree: lines, crates, circles of modules
house *arguments:
    .ci/house "$@"

# Everything, as CI runs it
ci *steps:
    bash .ci/run "$@"
