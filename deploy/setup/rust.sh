# What is built from Rust: the library of the builtin provers, the commands that check their proofs, and the static
# programs that go into images. Cargo itself knows what is fresh.

RUST_MINOR_MIN=89
RUST_BUILT=(target/release/libelastic_ffi.so target/release/poseidon target/release/ivc-minroot-verify
  target/image/poseidon/elastic target/image/ivc-minroot/ivc-minroot target/image/misbehave/misbehave)

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

rust_build() {
  if cargo_is_done; then return 0; fi
  step "building the provers (the first time takes minutes)" cargo cargo_build
  rust_sources >"$CACHE/setup/rust.stamp"
}

cargo_is_done() {
  local file
  for file in "${RUST_BUILT[@]}"; do [ -e "$file" ] || return 1; done
  [ "$(cat "$CACHE/setup/rust.stamp" 2>/dev/null)" = "$(rust_sources)" ]
}

rust_sources() {
  {
    rustc --version
    find Cargo.toml Cargo.lock rust-toolchain.toml sdk kernels provers -type f -not -path '*/target/*' -not -path 'kernels/accel/*' \
      \( -name '*.rs' -o -name '*.toml' -o -name '*.lock' -o -name '*.h' -o -name Dockerfile \) -print0 |
      sort -z | xargs -0 sha256sum
  } | sha256sum
}

cargo_build() {
  export CARGO_TARGET_DIR=$ROOT/target
  cargo build --release --locked
  image_context poseidon elastic
  image_context ivc-minroot ivc-minroot
  image_context misbehave misbehave
}

# What an image is built from: its Dockerfile and its program, linked statically. The libraries are those of the
# build before; only the program itself is compiled again.
image_context() {
  local package=$1 program=$2 context=$ROOT/target/image/$1
  cargo rustc --release --locked -p "$package" --bin "$program" -- -C target-feature=+crt-static
  mkdir -p "$context"
  cp "target/release/$program" "provers/$package/Dockerfile" "$context/"
}
