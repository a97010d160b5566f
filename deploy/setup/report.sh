# What set-up tells: lines on standard error, so that a program's output stays its own.

TICK_SECONDS=15

say() { printf 'set-up: %s\n' "$*" >&2; }

fail() {
  say "$*"
  exit 1
}

# say_where LINE COMMAND: for a trap on ERR; in the main shell only, so that a failure is told once.
say_where() {
  [ "$BASH_SUBSHELL" -gt 0 ] || say "failed while $DOING, at line $1 of ${BASH_SOURCE[1]#"$ROOT"/}: $2"
}

# step TEXT NAME COMMAND...: runs work that takes a while, with a line before it, one every 15 seconds while it
# lasts, and its output in .cache/setup/NAME.log, whose end is shown when it fails.
step() {
  local text=$1 log=$CACHE/setup/$2.log began=$SECONDS ticker status=0
  shift 2
  say "$text"
  tick "$text" "$log" "$began" &
  ticker=$!
  trap 'kill "$ticker" 2>/dev/null || true' EXIT
  "$@" >"$log" 2>&1 </dev/null 9>&- || status=$?
  kill "$ticker" 2>/dev/null || true
  wait "$ticker" 2>/dev/null || true
  trap - EXIT
  if [ "$status" -ne 0 ]; then
    tail -n 30 "$log" >&2
    fail "$text: failed after $((SECONDS - began)) s; everything it printed is in ${log#"$ROOT"/}"
  fi
  say "$text: done in $((SECONDS - began)) s"
}

tick() {
  # The ticker must not hold the lock of a set-up that was killed.
  exec 9>&-
  local last
  while sleep "$TICK_SECONDS"; do
    last=$(tail -n 1 "$2" 2>/dev/null | tr -d '\r' | cut -c 1-80)
    say "$1: $((SECONDS - $3)) s so far ($last)"
  done
}
