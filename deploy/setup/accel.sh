# The acceleration library and its tests, from kernels/accel into target/accel. Ninja itself knows what is fresh; the
# stamp spares asking it. With CUDA's compiler, `ninja -C target/accel zkaccel_cuda` builds the plug-in for GPUs too.

ACCEL_BUILT=(target/accel/libzkaccel.so target/accel/tests/zkaccel_tests)

accel_tools() {
  need cmake cmake
  need ninja ninja-build
  need g++ g++
  [ -e /usr/include/doctest/doctest.h ] || has_doctest || PACKAGES_MISSING+=(doctest-dev)
}

has_doctest() { has g++ && echo '#include <doctest/doctest.h>' | g++ -x c++ -E - >/dev/null 2>&1; }

accel_build() {
  if accel_is_done; then return 0; fi
  step "building the acceleration library (the first time takes minutes)" accel accel_make
  accel_sources >"$CACHE/setup/accel.stamp"
}

accel_make() {
  local cuda=(-DZKA_CUDA=OFF)
  if cuda_is_installed; then cuda=(-DZKA_CUDA=ON "-DCMAKE_CUDA_COMPILER=$CUDA/bin/nvcc"); fi
  cmake -S kernels/accel -B target/accel -G Ninja -DZKA_TESTS=ON -DZKA_WERROR=ON "${cuda[@]}"
  ninja -C target/accel zkaccel zkaccel_tests
}

accel_is_done() {
  local file
  for file in "${ACCEL_BUILT[@]}"; do [ -e "$file" ] || return 1; done
  [ "$(cat "$CACHE/setup/accel.stamp" 2>/dev/null)" = "$(accel_sources)" ]
}

accel_sources() {
  {
    g++ --version
    cat "$CACHE/setup/cuda.stamp" 2>/dev/null || true
    find kernels/accel -type f -not -path 'kernels/accel/rust/*' -print0 | sort -z | xargs -0 sha256sum
  } | sha256sum
}
