# The builtin provers once more, on the acceleration library, where set-up has built both. In a folder apart: a build or a
# test of all puts the library without it in its place again.

ACCELERATED=target/accelerated/libelastic_ffi.so

accelerated_build() {
  if ! is_built rust "${RUST_BUILT[@]}" || ! { accel_is_built accel-tests tests/zkaccel_tests || accel_is_built accel libzkaccel.so; }; then
    rm -f "$ACCELERATED"
    return 0
  fi
  local sources
  sources=$(accelerated_sources)
  if [ -e "$ACCELERATED" ] && [ "$(cat "$CACHE/setup/accelerated.stamp" 2>/dev/null)" = "$sources" ]; then return 0; fi
  step "building the builtin provers on the acceleration library" accelerated cargo_build_accelerated
  printf '%s\n' "$sources" >"$CACHE/setup/accelerated.stamp"
}

accelerated_progress() { cargo_progress "$1"; }

accelerated_sources() {
  {
    rust_sources
    accel_sources
    find kernels/accel/rust -type f -not -path '*/target/*' -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum
}

# The library without it is there before, compiled from the same graph: cargo only links it again.
cargo_build_accelerated() {
  cargo build --release --locked -p elastic-ffi --lib --features accel
  mkdir -p target/accelerated
  cp target/release/libelastic_ffi.so "$ACCELERATED"
  cargo build --release --locked -p elastic-ffi --lib
}
