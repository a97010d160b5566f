# The acceleration library, alone or with its tests, from kernels/accel into target/accel. Ninja itself knows what is
# fresh; the stamps spare running it. With CUDA's compiler, `ninja -C target/accel zkaccel_cuda` builds the plug-in for
# GPUs too.

accel_tools() {
  need cmake cmake
  need ninja ninja-build
  need g++ g++
}

accel_tests_tools() {
  accel_tools
  [ -e /usr/include/doctest/doctest.h ] || has_doctest || PACKAGES_MISSING+=(doctest-dev)
}

has_doctest() { has g++ && echo '#include <doctest/doctest.h>' | g++ -x c++ -E - >/dev/null 2>&1; }

accel_build() {
  if accel_is_built accel-tests tests/zkaccel_tests || accel_is_built accel libzkaccel.so; then return 0; fi
  step "building the acceleration library" accel accel_make OFF zkaccel
  accel_sources >"$CACHE/setup/accel.stamp"
}

accel_tests_build() {
  if accel_is_built accel-tests tests/zkaccel_tests; then return 0; fi
  step "building the acceleration library and its tests" accel_tests accel_make ON zkaccel zkaccel_tests
  accel_sources >"$CACHE/setup/accel-tests.stamp"
}

# accel_make TESTS TARGET...
accel_make() {
  local tests=$1 cuda=(-DZKA_CUDA=OFF)
  shift
  if cuda_is_installed; then cuda=(-DZKA_CUDA=ON "-DCMAKE_CUDA_COMPILER=$CUDA/bin/nvcc"); fi
  cmake -S kernels/accel -B target/accel -G Ninja "-DZKA_TESTS=$tests" -DZKA_WERROR=ON "${cuda[@]}"
  ninja -C target/accel zkaccel_static "$@"
}

accel_progress() { sed -n 's/^\[\([0-9]*\)\/\([0-9]*\)\].*/\1 \2/p' "$1" | tail -n 1 | awk '{ print $2 - $1 " of " $2 " files left" }'; }
accel_tests_progress() { accel_progress "$1"; }

# accel_is_built STAMP FILE
accel_is_built() {
  [ -e "target/accel/libzkaccel.so" ] && [ -e "target/accel/libzkaccel.a" ] && [ -e "target/accel/$2" ] &&
    [ "$(cat "$CACHE/setup/$1.stamp" 2>/dev/null)" = "$(accel_sources)" ]
}

accel_sources() {
  {
    g++ --version
    cat "$CACHE/setup/cuda.stamp" 2>/dev/null || true
    find kernels/accel -type f -not -path 'kernels/accel/rust/*' -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum
}
