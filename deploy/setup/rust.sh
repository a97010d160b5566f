# What is built from Rust: the library of the builtin provers, the commands that check their proofs, and the static
# programs that go into images; or of these only what the demo prover takes. Cargo itself knows what is fresh.

RUST_MINOR_MIN=89
RUST_BUILT=(target/release/libelastic_ffi.so target/release/poseidon target/release/ivc-minroot-verify
  target/image/poseidon/elastic target/image/ivc-minroot/ivc-minroot target/image/misbehave/misbehave)
DEMO_BUILT=(target/release/libelastic_ffi.so target/release/poseidon)

rust_tools() {
  need cc gcc libc6-dev
  has bwrap || PACKAGES_MISSING+=(bubblewrap)
  if rust_is_recent; then return 0; fi
  local packages
  packages=$(rust_packages)
  read -r -a packages <<<"$packages"
  PACKAGES_MISSING+=("${packages[@]}")
}

# With rustup, rust-toolchain.toml decides which compiler this is, and rustup may have to fetch it.
rust_is_recent() {
  has cargo || return 1
  if has rustup && ! rustc --version >/dev/null 2>&1; then
    step "installing the Rust of rust-toolchain.toml" rustup rustup toolchain install --no-self-update
  fi
  local minor
  minor=$(rustc --version 2>/dev/null | cut -d ' ' -f 2 | cut -d . -f 2)
  [ "${minor:-0}" -ge "$RUST_MINOR_MIN" ]
}

# The first of the distribution's Rusts that is new enough. Debian 12 keeps one for its browsers under another name.
rust_packages() {
  if ! can_install; then fail "install Rust 1.$RUST_MINOR_MIN or newer first: https://rustup.rs"; fi
  [ -n "$(apt_minor rustc)" ] || apt-get update >/dev/null 2>&1 || true
  local name minor
  for name in "rustc cargo" "rustc-web cargo-web"; do
    minor=$(apt_minor "${name%% *}")
    if [ "${minor:-0}" -ge "$RUST_MINOR_MIN" ]; then
      echo "$name"
      return 0
    fi
  done
  fail "this distribution has no Rust of 1.$RUST_MINOR_MIN or newer: install it from https://rustup.rs"
}

apt_minor() { apt-cache policy "$1" 2>/dev/null | sed -n 's/^  Candidate: 1\.\([0-9]*\)\..*/\1/p'; }

cargo_tools() { rust_tools; }
cargo_build() { :; }
demo_prover_tools() { rust_tools; }
demo_image_tools() { rust_tools; }

rust_build() {
  if is_built rust "${RUST_BUILT[@]}"; then return 0; fi
  rm -f "$CACHE/setup/demo-prover.stamp"
  step "building the provers" rust cargo_build_all
  rust_sources >"$CACHE/setup/rust.stamp"
}

demo_prover_build() {
  if is_built rust "${RUST_BUILT[@]}" || is_built demo-prover "${DEMO_BUILT[@]}"; then return 0; fi
  # It replaces the library of all provers.
  rm -f "$CACHE/setup/rust.stamp"
  step "building the demo prover" demo_prover cargo_build_demo
  rust_sources >"$CACHE/setup/demo-prover.stamp"
}

demo_image_build() {
  if is_built rust "${RUST_BUILT[@]}" || is_built demo-image target/image/poseidon/elastic; then return 0; fi
  step "linking the demo prover's image program" demo_image image_context poseidon elastic
  rust_sources >"$CACHE/setup/demo-image.stamp"
}

# is_built STAMP FILE...
is_built() {
  local file stamp=$CACHE/setup/$1.stamp
  shift
  for file in "$@"; do [ -e "$file" ] || return 1; done
  [ "$(cat "$stamp" 2>/dev/null)" = "$(rust_sources)" ]
}

rust_progress() { cargo_progress "$1"; }
demo_prover_progress() { cargo_progress "$1"; }

# Of cargo's own progress bar, which it draws into the log.
cargo_progress() {
  tr '\r' '\n' <"$1" | sed -n 's/.*\] \([0-9]*\)\/\([0-9]*\):.*/\1 \2/p' | tail -n 1 | awk '{ print $2 - $1 " of " $2 " crates left" }'
}

rust_sources() {
  {
    rustc --version
    find Cargo.toml Cargo.lock rust-toolchain.toml sdk kernels provers -type f -not -path '*/target/*' -not -path 'kernels/accel/*' \
      \( -name '*.rs' -o -name '*.toml' -o -name '*.lock' -o -name '*.h' -o -name Dockerfile \) -print0 |
      sort -z | xargs -0 sha256sum
  } | sha256sum
}

export CARGO_TARGET_DIR=$ROOT/target
export CARGO_TERM_PROGRESS_WHEN=always CARGO_TERM_PROGRESS_WIDTH=100

cargo_build_all() {
  cargo build --release --locked
  image_context poseidon elastic
  image_context ivc-minroot ivc-minroot
  image_context misbehave misbehave
}

# Without the folding library and the second proof system that it needs.
cargo_build_demo() {
  cargo build --release --locked -p poseidon -p elastic-ffi --no-default-features --lib --bin poseidon
}

# What an image is built from: its Dockerfile and its program, linked statically. The libraries are those of the
# build before; only the program itself is compiled again.
image_context() {
  local package=$1 program=$2 context=$ROOT/target/image/$1
  cargo rustc --release --locked -p "$package" --bin "$program" -- -C target-feature=+crt-static
  mkdir -p "$context"
  cp "target/release/$program" "provers/$package/Dockerfile" "$context/"
}
