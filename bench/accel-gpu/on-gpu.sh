#!/usr/bin/env bash
# What needs the GPU: the plug-in's tests on it, the same under compute-sanitizer, then the measuring. It needs a driver,
# and neither Node nor a network: `npm run bench -- accel-gpu --prepare` has built everything, in target/ and .cache/.
#
#   bench/accel-gpu/on-gpu.sh ROUNDS SECONDS [small]            all of it
#   bench/accel-gpu/on-gpu.sh checks                            the tests, plain and sanitized
#   bench/accel-gpu/on-gpu.sh measure ROUNDS SECONDS [small]    the rest, once the checks have passed
#
# It leaves target/accel-gpu/: measured.jsonl, checks.txt with a line for each check, and the log of each. It ends with 1
# where a check failed or nothing could be measured, and with 77 where there is no GPU.
set -euo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
NAME=accel-gpu
OUT=$ROOT/target/accel-gpu
TESTS=$ROOT/target/accel/tests/cuda/zkaccel_tests
PROGRAM=$ROOT/target/accel-gpu-bench/release/zkaccel-gpu-bench
source "$ROOT/bench/gpu/checks.sh"

checks() {
  local status=0 failed=0
  forget_checks
  checked tests "$TESTS" || status=$?
  if [ "$status" -eq "$SKIPPED" ]; then
    say "$(tail -n 1 "$OUT/tests.log")"
    exit "$SKIPPED"
  fi
  [ "$status" -eq 0 ] || failed=1
  export ZKA_TEST_SMALL=1
  sanitized "$TESTS" || failed=1
  [ "$failed" -eq 0 ] || fail "what fails its checks is not measured"
}

for built in "$TESTS" "$ROOT/target/accel/libzkaccel_cuda.so" "$PROGRAM"; do
  [ -e "$built" ] || fail "${built#"$ROOT"/} is not built: npm run bench -- accel-gpu --prepare"
done
mkdir -p "$OUT"
rm -f "$OUT/measured.jsonl"
# The tree may have been elsewhere when it was built.
export LD_LIBRARY_PATH=$ROOT/target/accel${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}

case ${1:-} in
  checks) checks ;;
  measure) measured "$PROGRAM" "${@:2}" ;;
  *)
    checks
    measured "$PROGRAM" "$@"
    ;;
esac
