#!/usr/bin/env bash
# All set-up of this repository: installs and builds what is missing, and is quick when nothing is.
#
#   deploy/setup.sh                     everything
#   deploy/setup.sh node etcd rust      these parts only
#
#   node          the packages of package-lock.json, Node 24 among them
#   console       the web console
#   template      the template of the repositories that "Try It First" creates
#   etcd
#   demo-prover   the demo prover as a builtin prover, and the command that checks its proofs
#   demo-image    what the demo prover's image is built from
#   cargo         Rust's compiler alone
#   rust          all provers, builtin and for images, with the commands that check their proofs
#   accel         the acceleration library; with rust, the builtin provers on it
#   accel-tests   the acceleration library and its tests
#   cuda          CUDA's compiler, for the acceleration library's plug-in
#   engine        a container engine and a registry; installed, never started
#   builder       BuildKit and what its sandbox takes, for builds of images
#   wheel         what builds the client library for Python, and installs it in tests
#   ssh           OpenSSH's client and server, for tests
#   postgres      for tests; installed, never started
#   prometheus    for tests of its alerts; installed, never started
#   browser       Chromium, for tests of the console
#   otel-collector  for the long test of traces
#   bare-root     makes bare root file systems, for images and the long tests
#   kubernetes    Helm and what validates charts, for the long tests
#   kubernetes-api  the API server of Kubernetes, for the long tests
#   compose       Docker Compose, for the long tests
#   temporal      the Temporal server, for the benchmark of the service
#
# Tools come from the distribution's packages where this runs as root on Debian or Ubuntu; elsewhere it lists exactly
# what to install. Parts are built at the same time. It writes to node_modules/, target/,
# .cache/, console/dist/ and deploy/template/dist/ only.
set -Eeuo pipefail

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=$ROOT/.cache
# A run by npm has node_modules/.bin first on its path; the machine's own Node installs the packages.
PATH=${PATH//"$ROOT/node_modules/.bin:"/}:/usr/local/sbin:/usr/sbin:/sbin
# Where rustup puts its programs, which only login shells have on their path.
[ ! -d "${HOME:-}/.cargo/bin" ] || PATH=$HOME/.cargo/bin:$PATH
export PATH
cd "$ROOT"

source deploy/setup/report.sh
source deploy/setup/packages.sh
source deploy/setup/go-program.sh
source deploy/setup/node.sh
source deploy/setup/console.sh
source deploy/setup/template.sh
source deploy/setup/etcd.sh
source deploy/setup/rust.sh
source deploy/setup/accelerated.sh
source deploy/setup/cuda.sh
source deploy/setup/accel.sh
source deploy/setup/engine.sh
source deploy/setup/builder.sh
source deploy/setup/wheel.sh
source deploy/setup/ssh.sh
source deploy/setup/postgres.sh
source deploy/setup/prometheus.sh
source deploy/setup/browser.sh
source deploy/setup/otel-collector.sh
source deploy/setup/kubernetes-api.sh
source deploy/setup/bare-root.sh
source deploy/setup/kubernetes.sh
source deploy/setup/compose.sh
source deploy/setup/temporal.sh

DOING=preparing
# A failure that printed nothing itself is named here; `fail` has printed the reason.
trap 'say_where "$LINENO" "$BASH_COMMAND"' ERR

case " $* " in
  *" --help "* | *" -h "*)
    sed -n '2,/^set / s/^# \{0,1\}//p' deploy/setup.sh
    exit 0
    ;;
esac

# In the order in which they are started.
ALL=(node console template etcd cargo demo-prover demo-image rust cuda accel accel-tests engine builder wheel ssh postgres prometheus browser otel-collector bare-root kubernetes kubernetes-api compose temporal)
PARTS=("$@")
[ $# -gt 0 ] || PARTS=(node console template etcd rust cuda accel-tests engine builder wheel ssh postgres prometheus browser)
for part in "${PARTS[@]}"; do
  [[ " ${ALL[*]} " == *" $part "* ]] || fail "there is no part called $part; the parts are ${ALL[*]}"
done

mkdir -p "$CACHE/bin" "$CACHE/setup"
exec 9>"$CACHE/setup/lock"
if ! flock --nonblock 9; then
  say "waiting for another set-up of this folder"
  flock 9
fi
start_progress_line

for part in "${PARTS[@]}"; do
  DOING="looking for the tools of $part"
  "${part//-/_}_tools"
done
DOING="installing packages"
install_packages

# What shares a compiler's lock or a build folder is one lane; the lanes run at the same time.
LANES=("node console template" "etcd" "cargo demo-prover demo-image rust" "cuda accel accel-tests" "engine" "builder" "wheel" "ssh" "postgres" "prometheus" "browser" "otel-collector" "bare-root" "kubernetes" "kubernetes-api" "compose" "temporal")
build_lane() {
  LANE_DEPTH=$BASH_SUBSHELL
  trap - EXIT
  local part
  for part in $1; do
    [[ " ${PARTS[*]} " == *" $part "* ]] || continue
    DOING="building $part"
    "${part//-/_}_build"
  done
}
lanes=()
for lane in "${LANES[@]}"; do
  build_lane "$lane" &
  lanes+=($!)
done
status=0
for lane in "${lanes[@]}"; do
  wait "$lane" || status=1
done
case " ${PARTS[*]} " in
  *" rust "* | *" accel "* | *" accel-tests "*)
    DOING="building the accelerated provers"
    [ "$status" -ne 0 ] || accelerated_build
    ;;
esac
exit "$status"
