#!/usr/bin/env bash
# All set-up of this repository: installs and builds what is missing, and is quick when nothing is.
#
#   deploy/setup.sh                     everything
#   deploy/setup.sh node etcd rust      these parts only
#
# Parts: node (the packages of package-lock.json, Node 24 among them), etcd, rust (the provers and their library),
# cuda (its compiler, for the acceleration library's plug-in), accel (the acceleration library and its tests),
# engine (a container engine and a registry; installed, never started), ssh (its client, for tests), postgres (for tests; installed, never started).
# Tools come from the distribution's packages where this runs as root on Debian or Ubuntu; elsewhere it says exactly
# what to install. It writes to node_modules/, target/ and .cache/ only.
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
source deploy/setup/node.sh
source deploy/setup/etcd.sh
source deploy/setup/rust.sh
source deploy/setup/cuda.sh
source deploy/setup/accel.sh
source deploy/setup/engine.sh
source deploy/setup/ssh.sh
source deploy/setup/postgres.sh

DOING=preparing
# What ends set-up without saying anything itself is named here; `fail` has said why.
trap 'say_where "$LINENO" "$BASH_COMMAND"' ERR

case " $* " in
  *" --help "* | *" -h "*)
    sed -n '2,/^set / s/^# \{0,1\}//p' deploy/setup.sh
    exit 0
    ;;
esac

PARTS=("$@")
[ $# -gt 0 ] || PARTS=(node etcd rust cuda accel engine ssh postgres)
for part in "${PARTS[@]}"; do
  case $part in
    node | etcd | rust | cuda | accel | engine | ssh | postgres) ;;
    *) fail "there is no part called $part; the parts are node, etcd, rust, cuda, accel, engine, ssh, postgres" ;;
  esac
done

mkdir -p "$CACHE/bin" "$CACHE/setup"
exec 9>"$CACHE/setup/lock"
if ! flock --nonblock 9; then
  say "waiting for another set-up of this folder"
  flock 9
fi

for part in "${PARTS[@]}"; do
  DOING="looking for the tools of $part"
  "${part}_tools"
done
DOING="installing packages"
install_packages
for part in "${PARTS[@]}"; do
  DOING="building $part"
  "${part}_build"
done
