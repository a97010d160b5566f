# What scripts that run on a machine with a GPU share: checks that are recorded, plain and under compute-sanitizer. They set
# NAME, by which they speak, and OUT, where what they record goes.

SKIPPED=77
# A tool that hangs on a machine is reported like one that fails.
CHECK_SECONDS=900
SANITIZERS=(memcheck racecheck initcheck)

say() { printf '%s: %s\n' "$NAME" "$*" >&2; }

# record CHECK OUTCOME: adds a check's outcome to the report.
record() {
  say "$1 $2"
  printf '%s %s\n' "$1" "$2" >>"$OUT/checks.txt"
}

fail() {
  say "$*"
  exit 1
}

# checked CHECK COMMAND...: returns the command's status.
checked() {
  local check=$1 status=0
  shift
  say "$check"
  timeout "$CHECK_SECONDS" "$@" >"$OUT/$check.log" 2>&1 || status=$?
  case $status in
    0) record "$check" passed ;;
    "$SKIPPED") record "$check" "WAS NOT DONE: there is no GPU that CUDA can use" ;;
    *) record "$check" "FAILED with $status: ${OUT#"$ROOT"/}/$check.log" ;;
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

# sanitized COMMAND...: the command under each tool. Ends with 1 where one of them finds something.
sanitized() {
  local failed=0 sanitizer tool
  sanitizer=$(find_sanitizer)
  for tool in "${SANITIZERS[@]}"; do
    if [ -z "$sanitizer" ]; then
      record "$tool" "WAS NOT DONE: no compute-sanitizer runs here"
    else
      # Tests that fail allocations on purpose make calls of CUDA fail: those are no finding.
      checked "$tool" "$sanitizer" --tool "$tool" --report-api-errors no --error-exitcode 9 "$@" || failed=1
    fi
  done
  return "$failed"
}

# forget_checks: what an earlier run left.
forget_checks() { rm -f "$OUT"/*.txt "$OUT"/*.log; }

# measured COMMAND...: what the command prints, once all checks have passed.
measured() {
  [ -e "$OUT/checks.txt" ] || fail "it has not been checked: on-gpu.sh checks"
  if grep -q FAILED "$OUT/checks.txt"; then fail "what fails its checks is not measured"; fi
  "$@" >"$OUT/measured.jsonl" ||
    fail "measuring ended with $?; what was measured before that is in ${OUT#"$ROOT"/}/measured.jsonl"
}
