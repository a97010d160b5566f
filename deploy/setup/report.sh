# What set-up reports: lines on standard error, so that a program's output stays its own, and .cache/setup/times.tsv
# with the seconds of each step.

RUNNING=$CACHE/setup/running
TIMES=$CACHE/setup/times.tsv
# A terminal's one line is rewritten each second; elsewhere there is a new one now and then.
TICK_SECONDS=15
[ ! -t 2 ] || TICK_SECONDS=1

say() { printf '%sset-up: %s\n' "$(over_the_line)" "$*" >&2; }

# What removes a terminal's progress line before another is written.
over_the_line() { [ ! -t 2 ] || printf '\r\033[K'; }

fail() {
  say "$*"
  exit 1
}

# say_where LINE COMMAND: for a trap on ERR; once a failure, in the main shell or in the one that builds a part.
LANE_DEPTH=0
say_where() {
  [ "$BASH_SUBSHELL" -gt "$LANE_DEPTH" ] || say "failed while $DOING, at line $1 of ${BASH_SOURCE[1]#"$ROOT"/}: $2"
}

# step TEXT NAME COMMAND...: runs work that takes a while, with a line before and after it, and its output in
# .cache/setup/NAME.log, whose end is shown when it fails. While it lasts, the progress line has what NAME_progress
# prints, where there is such a function.
step() {
  local text=$1 name=$2 log=$CACHE/setup/$2.log began=$SECONDS status=0
  shift 2
  say "$text"
  printf '%s\n' "$text" >"$RUNNING/$name"
  "$@" >"$log" 2>&1 </dev/null 9>&- || status=$?
  rm -f "$RUNNING/$name"
  if [ "$status" -ne 0 ]; then
    tail -n 30 "$log" >&2
    fail "$text: failed after $((SECONDS - began)) s; everything it printed is in ${log#"$ROOT"/}"
  fi
  printf '%s\t%s\n' "$text" $((SECONDS - began)) >>"$TIMES"
  say "$text: done in $((SECONDS - began)) s"
}

# Until this shell ends, one line shows what is running, how far it is, and how long it has taken.
start_progress_line() {
  rm -rf "$RUNNING"
  mkdir -p "$RUNNING"
  : >"$TIMES"
  tick "$SECONDS" &
  local ticker=$!
  # shellcheck disable=SC2064 # The ticker's id is known now.
  trap "kill $ticker 2>/dev/null || true; over_the_line >&2" EXIT
}

tick() {
  # The ticker must not hold the lock of a set-up that was killed.
  exec 9>&-
  trap - EXIT ERR
  local name texts
  while sleep "$TICK_SECONDS"; do
    texts=()
    for name in $(ls "$RUNNING"); do texts+=("$(progress_of "$name")"); done
    [ ${#texts[@]} -gt 0 ] || continue
    if [ -t 2 ]; then
      printf '\r\033[Kset-up: %s (%s s)' "$(joined "${texts[@]}")" $((SECONDS - $1)) | cut -c "1-$(tput cols 2>/dev/null || echo 120)" | tr -d '\n' >&2
    else
      say "$(joined "${texts[@]}") ($((SECONDS - $1)) s so far)"
    fi
  done
}

joined() {
  local IFS=';'
  printf '%s' "$*" | sed 's/;/; /g'
}

# progress_of NAME: its text, and how far it is where that is known.
progress_of() {
  local text far=""
  text=$(cat "$RUNNING/$1" 2>/dev/null) || return 0
  ! declare -F "$1_progress" >/dev/null || far=$("$1_progress" "$CACHE/setup/$1.log" 2>/dev/null) || true
  printf '%s' "$text${far:+: $far}"
}
