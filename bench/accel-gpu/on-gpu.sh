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
TESTS=$ROOT/target/accel/tests/cuda/zkaccel_tests
PROGRAM=$ROOT/target/accel-gpu-bench/release/zkaccel-gpu-bench
OUT=$ROOT/target/accel-gpu
SKIPPED=77
# A tool that hangs on a machine is reported like one that fails.
CHECK_SECONDS=900
SANITIZERS=(memcheck racecheck initcheck)

say() { printf 'accel-gpu: %s\n' "$*" >&2; }

# record NAME OUTCOME: adds a check's outcome to the report.
record() {
  say "$1 $2"
  printf '%s %s\n' "$1" "$2" >>"$OUT/checks.txt"
}

fail() {
  say "$*"
  exit 1
}

# checked NAME COMMAND...: returns the command's status.
checked() {
  local name=$1 status=0
  shift
  say "$name"
  timeout "$CHECK_SECONDS" "$@" >"$OUT/$name.log" 2>&1 || status=$?
  case $status in
    0) record "$name" passed ;;
    "$SKIPPED") record "$name" "WAS NOT DONE: there is no GPU that CUDA can use" ;;
    *) record "$name" "FAILED with $status: target/accel-gpu/$name.log" ;;
  esac
  return "$status"
}

# The one on the path may be of the driver's release. Whether it runs at all here, a program that does nothing shows.
find_sanitizer() {
  local candidate output
  for candidate in "$(command -v compute-sanitizer || true)" "$ROOT/.cache/cuda/nvidia/cu13/bin/compute-sanitizer"; do
    [ -x "$candidate" ] || continue
    # In a pipe to grep -q it could end by SIGPIPE, which pipefail takes for a failure.
    output=$("$candidate" --require-cuda-init no /bin/echo runs 2>&1) || true
    if grep -qx runs <<<"$output"; then
      printf '%s\n' "$candidate"
      return
    fi
    say "COMPUTE-SANITIZER DOES NOT RUN HERE: $candidate: $output"
  done
}

checks() {
  local status=0 failed=0 sanitizer tool
  rm -f "$OUT"/*.txt "$OUT"/*.log
  checked tests "$TESTS" || status=$?
  if [ "$status" -eq "$SKIPPED" ]; then
    say "$(tail -n 1 "$OUT/tests.log")"
    exit "$SKIPPED"
  fi
  [ "$status" -eq 0 ] || failed=1
  sanitizer=$(find_sanitizer)
  export ZKA_TEST_SMALL=1
  for tool in "${SANITIZERS[@]}"; do
    if [ -z "$sanitizer" ]; then
      record "$tool" "WAS NOT DONE: no compute-sanitizer runs here"
    else
      # Tests that fail allocations on purpose make calls of CUDA fail: those are no finding.
      checked "$tool" "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 "$TESTS" || failed=1
    fi
  done
  [ "$failed" -eq 0 ] || fail "what fails its checks is not measured"
}

measure() {
  [ -e "$OUT/checks.txt" ] || fail "it has not been checked: on-gpu.sh checks"
  if grep -q FAILED "$OUT/checks.txt"; then fail "what fails its checks is not measured"; fi
  "$PROGRAM" "$@" >"$OUT/measured.jsonl" ||
    fail "measuring ended with $?; what was measured before that is in target/accel-gpu/measured.jsonl"
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
  measure) measure "${@:2}" ;;
  *)
    checks
    measure "$@"
    ;;
esac
