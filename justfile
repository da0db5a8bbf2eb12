# `just` lists the recipes. `just check` runs what CI runs before it starts a server.

set positional-arguments

export CARGO_TERM_COLOR := env("CARGO_TERM_COLOR", "auto")

[private]
default:
    @just --list --unsorted

# A simulated world of six leagues, kept up to date, and a key to ask it with
demo *arguments:
    cargo run --release -- demo "$@"

# Formatting, lints, tests, docs, dependencies, OpenAPI
check: fmt clippy test doc deny openapi-check

fmt:
    cargo fmt --all --check

clippy:
    .ci/pure_crates
    cargo clippy --workspace --all-targets -- -D warnings

# The whole suite, doc examples included; arguments go to cargo
test *arguments:
    cargo test --workspace "$@"

doc $RUSTDOCFLAGS="-D warnings":
    cargo doc --workspace --no-deps

# Layering, licences, sources, advisories (cargo install --locked cargo-deny)
deny:
    .ci/deny

# Write docs/openapi.json anew
openapi:
    cargo run -q -p sports-api -- openapi > target/openapi.json
    mv target/openapi.json docs/openapi.json

# docs/openapi.json is what the code says, and lints clean
openapi-check:
    cargo build -q -p sports-api
    .ci/openapi/fresh
    .ci/openapi/lint

# A generated Python client against a demo server
client:
    cargo build -q -p sports-api
    .ci/openapi/with_server .ci/openapi/check_client

# Fuzz a demo server by its OpenAPI document: `just fuzz --seed 7`
fuzz *arguments:
    cargo build -q -p sports-api
    .ci/openapi/with_server .ci/openapi/fuzz "$@"

# Faults, attacks and accidents, and what they cost: `just drill`, `just drill kill disk-full --short`
drill *arguments:
    cargo build --workspace --bins
    python3 .ci/drill "$@"

# Give every reader of foreign bytes its seeds, and so many changes to each
readers $FUZZING_ROUNDS="250":
    cargo test --workspace --test replay

# Let libFuzzer loose on one of them, by the name of its target: `just fuzz-reader archive -max_total_time=600`
fuzz-reader target *arguments:
    fuzz/run "$@"

# Benchmarks; arguments go to cargo
bench *arguments:
    cargo bench --workspace "$@"

# The four crates that others embed can be published as they stand; nothing is uploaded
publishable:
    .ci/publishable

# Figures of the real seasons, which SPORTS_REAL_DATA names, twice: in Rust, and by pandas
second-opinion:
    : "${SPORTS_REAL_DATA:?names the folder of real leagues}"
    SPORTS_PYTHON="$(.ci/openapi/venv)/python" REQUIRE_SERVICES=1 cargo test -p sports-api --test second_opinion

# Grade the real seasons twice: in Rust, and by the second opinion in exact arithmetic
oracle:
    : "${SPORTS_REAL_DATA:?names the folder of real leagues}"
    python3 -m doctest crates/grading/tests/second_opinion.py
    cargo test -p sports-grading

# Every small change to the pure crates is noticed by their own tests (cargo install --locked cargo-mutants); hours
mutants *arguments:
    .ci/mutants "$@"

# Everything, as CI runs it
ci *steps:
    bash .ci/run "$@"
