#!/bin/sh
# Installs the agent of a signed release on this machine and makes the machine a node. `elastic-coordinator token create` prints the line
# that downloads this file, compares it with its digest, and runs it as root, with the join token on standard input:
#
#   install.sh HOST:PORT CA-SHA256 INSTALLER-SHA256 --release-key-file SHA256 --release PLATFORM:VERSION:SHA256... [--node NAME] --ca FILE
#
# The digests are of whole files as they are served: one of what base64 decodes to would ignore what somebody in between adds.
# --ca is the authority that the line downloaded; what is downloaded here, and the enrollment, is verified with that and nothing else.
#
# The agent is staged below /opt/elastic, verified, and renamed: whatever interrupts this, nothing is half installed.
set -eu
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
umask 022

HOME_FOLDER=/opt/elastic
NAME=elastic-agent
COMMAND=/usr/local/bin/elastic-agent
SETTINGS=/etc/elastic/agent.env
KEYS=/etc/elastic/release-keys.pem
# Of the Node that the agent comes with, and of the C library that its packages need.
KERNEL_MIN=4.18
LIBC_MIN=2.34
# For what else is written during an installation.
SPARE_KIB=65536
STARTS_WITHIN=60

say() { echo "elastic: $1"; }
die() {
  echo "elastic: $1" >&2
  exit 1
}
refuse() { die "$1. Nothing was installed"; }

staging=
cleanup() { [ -z "$staging" ] || rm -rf "$staging"; }
trap cleanup EXIT
interrupted() {
  echo "elastic: this was interrupted, and nothing is half installed: paste the line again" >&2
  exit "$1"
}
trap 'interrupted 130' INT
trap 'interrupted 143' TERM HUP

begun=$(date +%s)
[ $# -ge 3 ] || refuse "the line was not pasted completely: paste it again"
coordinator=$1 ca_sha256=$2
shift 3
key_sha256='' node='' releases='' ca=''
while [ $# -ge 2 ]; do
  case $1 in
    --release-key-file) key_sha256=$2 ;;
    --release-key) refuse "the line was made by an earlier version, and what it names can be forged by somebody in between: make another line" ;;
    --ca) ca=$2 ;;
    --release) releases="$releases $2" ;;
    --node) node=$2 ;;
    *) refuse "the line has an option $1 that this installer does not know: make another line" ;;
  esac
  shift 2
done
[ $# -eq 0 ] && [ -n "$key_sha256" ] && [ -n "$releases" ] && [ -r "$ca" ] || refuse "the line was not pasted completely: paste it again"
token=${ELASTIC_JOIN_TOKEN:-}
unset ELASTIC_JOIN_TOKEN
[ -n "$token" ] || IFS= read -r token || true
[ -n "$token" ] || refuse "there is no join token on standard input: paste the line completely"
exec </dev/null
# The agent connects to the coordinators directly, and so does this.
unset https_proxy HTTPS_PROXY http_proxy HTTP_PROXY all_proxy ALL_PROXY grpc_proxy GRPC_PROXY

# --- The machine ---

is_older() { [ "$1" != "$2" ] && [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

[ "$(id -u)" = 0 ] || refuse "this user may not install: paste the line as root"
[ "$(uname -s)" = Linux ] || refuse "this machine runs $(uname -s): the agent needs Linux"
case $(uname -m) in
  x86_64 | amd64) platform=linux-x64 ;;
  aarch64 | arm64) platform=linux-arm64 ;;
  *) platform=linux-$(uname -m) ;;
esac
version='' manifest_sha256='' offered=''
for release in $releases; do
  offered="$offered ${release%%:*}"
  [ "${release%%:*}" = "$platform" ] || continue
  version=${release#*:} manifest_sha256=${release##*:}
  version=${version%:*}
done
[ -n "$version" ] || refuse "this machine is $platform, and the coordinator has releases for$offered only: build one for it with npm run package, on such a machine"
kernel=$(uname -r | sed 's/[^0-9.].*//')
if is_older "$kernel" "$KERNEL_MIN"; then refuse "the kernel is $kernel, and the agent needs $KERNEL_MIN or newer: upgrade the distribution"; fi
libc=$(getconf GNU_LIBC_VERSION 2>/dev/null | sed 's/^glibc //') || libc=
[ -n "$libc" ] || refuse "this distribution has no GNU C library, which the agent needs: use Debian 12, Ubuntu 22.04 or newer"
if is_older "$libc" "$LIBC_MIN"; then refuse "the C library is glibc $libc, and the agent needs $LIBC_MIN or newer: use Debian 12, Ubuntu 22.04 or newer"; fi

# --- Downloads, over TLS of the authority that the line names ---

url=https://$coordinator/install
if command -v curl >/dev/null; then
  fetch() { curl -fsS --cacert "$staging/ca.pem" --connect-timeout 15 --speed-limit 1000 --speed-time 30 -o "$1" "$url/$2"; }
else
  fetch() { wget -q -T 30 -t 1 --ca-certificate="$staging/ca.pem" -O "$1" "$url/$2"; }
fi
sha256_of() { sha256sum "$1" | cut -d ' ' -f 1; }
[ "$(sha256_of "$ca")" = "$ca_sha256" ] || refuse "$ca is not the authority that the line names: paste the line again"
# Of the certificate in DER, which the file has alone: by this the agent finds it in what a coordinator shows.
certificate_sha256=$(grep -v -- - "$ca" | base64 -d | sha256sum | cut -d ' ' -f 1)

download() {
  status=0
  fetch "$staging/$1" "$2" || status=$?
  case $status in
    0) ;;
    # Of curl and of wget: the coordinator refused.
    22 | 8) refuse "$coordinator does not serve $2: $(reason_of "$2"). Check its releases, and make another line where this release was withdrawn" ;;
    # Likewise: it could not be written.
    23 | 3) refuse "$2 could not be written to $HOME_FOLDER: check that its disk has room (df -h, df -i) and is not read-only, and paste the line again" ;;
    *) refuse "$2 could not be downloaded from $coordinator: if the connection was interrupted, paste the line again; if a disk is full, make room in $HOME_FOLDER" ;;
  esac
}

# What the coordinator says of a file that it does not serve: a sentence.
reason_of() {
  if command -v curl >/dev/null; then
    curl -s --cacert "$staging/ca.pem" -m 30 "$url/$1" || true
  else
    wget -q -T 30 -t 1 --content-on-error --ca-certificate="$staging/ca.pem" -O - "$url/$1" || true
  fi | head -c 300 | head -n 1 | tr -cd '[:print:]'
}

download_release() {
  staging=$(mktemp -d "$HOME_FOLDER/.unfinished-XXXXXX") || refuse "$HOME_FOLDER cannot be written: check that its disk has room and is not read-only"
  cp "$ca" "$staging/ca.pem" || refuse "$HOME_FOLDER cannot be written: check that its disk has room and is not read-only"
  at=$platform/$version
  download release.json "$at/release.json"
  [ "$(sha256_of "$staging/release.json")" = "$manifest_sha256" ] || refuse "release $version at $coordinator is not the one that the line names: make another line"
  download release.json.sig "$at/release.json.sig"
  download key.pem "keys/$key_sha256.pem"
  [ "$(sha256_of "$staging/key.pem")" = "$key_sha256" ] || refuse "$coordinator has another release key than the line names: make another line"
  # dpkg unpacks its own format without zstd, which small systems lack.
  if command -v dpkg-deb >/dev/null; then kind='_[^"]*\.deb'; else kind='-[^"]*\.tar\.zst'; fi
  command -v dpkg-deb >/dev/null || command -v zstd >/dev/null || refuse "zstd is missing, which unpacks the agent: install it and paste the line again"
  line=$(grep -o "\"name\":\"$NAME$kind\",\"sha256\":\"[0-9a-f]*\",\"size\":[0-9]*,\"unpackedSize\":[0-9]*" "$staging/release.json" | head -n 1)
  [ -n "$line" ] || refuse "release $version has no package of the agent for this machine: build it with npm run package"
  file=$(echo "$line" | cut -d '"' -f 4)
  sha256=$(echo "$line" | cut -d '"' -f 8)
  size=$(echo "$line" | sed 's/.*"size":\([0-9]*\).*/\1/')
  unpacked=$(echo "$line" | sed 's/.*"unpackedSize":\([0-9]*\).*/\1/')
  needed=$(((size + unpacked) / 1024 + SPARE_KIB))
  free=$(df -Pk "$HOME_FOLDER" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge "$needed" ] || refuse "the disk of $HOME_FOLDER has $((free / 1024)) MiB left, and the installation takes $((needed / 1024)) MiB: make room, and paste the line again"
  say "downloading $file ($((size / 1000000)) MB) from $coordinator"
  download package "$at/$file"
  received=$(stat -c %s "$staging/package")
  [ "$received" = "$size" ] || refuse "$file was not received completely, $received of $size bytes: paste the line again, and check the file on the coordinator if that does not help"
  [ "$(sha256_of "$staging/package")" = "$sha256" ] || refuse "$file is not what its release lists: it was tampered with or damaged on the coordinator; copy the release there again"
}

# Without room there is a line of each file.
cannot_unpack() { refuse "the agent could not be unpacked ($(echo "$1" | head -n 1)): check that the disk of $HOME_FOLDER has room (df -h, df -i)"; }

unpack_release() {
  tree=$staging/tree
  mkdir "$tree"
  if command -v dpkg-deb >/dev/null; then
    why=$(dpkg-deb -x "$staging/package" "$tree" 2>&1) || cannot_unpack "$why"
    tree=$tree/usr
  else
    why=$({ zstd -dcq "$staging/package" | tar -x -C "$tree"; } 2>&1) || cannot_unpack "$why"
    tree=$tree/$NAME-$version
  fi
  # What it is was decided by its digest; whether it starts depends on the machine.
  started=$("$tree/bin/$NAME" --version 2>&1) || refuse "the agent does not start here ($(echo "$started" | head -n 1)): install what it names (libstdc++6, for example), and paste the line again"
  "$tree/bin/$NAME" verify-release "$staging/release.json" --keys "$staging/key.pem" || refuse "release $version was not signed by the key that the line names: sign it with that key"
  [ "$started" = "$version" ] || refuse "release $version contains an agent of version $started: package it again"
}

place_settings() {
  mkdir -p /etc/elastic
  [ -e "$KEYS" ] || { cp "$staging/key.pem" "$KEYS.next" && mv "$KEYS.next" "$KEYS"; }
  if ! [ -e "$SETTINGS" ]; then
    echo "# Settings of the agent, a line each; elastic-agent run --help lists them. Restart it after a change." >"$SETTINGS"
    chmod 640 "$SETTINGS"
  fi
}

# Data first, then the name that leads to it.
place_release() {
  sync -f "$tree" 2>/dev/null || sync
  mv -T "$tree" "$HOME_FOLDER/$NAME-$version"
  rm -rf "$HOME_FOLDER/.next"
  ln -s "$NAME-$version" "$HOME_FOLDER/.next"
  mv -T "$HOME_FOLDER/.next" "$HOME_FOLDER/$NAME"
}

# Also where an earlier run was killed before it came here.
place_command() {
  mkdir -p "$(dirname "$COMMAND")"
  ln -sfn "$HOME_FOLDER/$NAME/bin/$NAME" "$COMMAND"
  if [ -d /etc/systemd/system ]; then cp "$HOME_FOLDER/$NAME/lib/systemd/system/$NAME.service" /etc/systemd/system/; fi
}

install_agent() {
  # Whoever can open it can hold it: it is root's, and one that was open to others is replaced. Upgrades take it too.
  lock=$HOME_FOLDER/.lock
  {
    mkdir -p "$HOME_FOLDER" &&
      if [ -e "$lock" ] && [ "$(stat -c %a "$lock")" != 600 ]; then rm -f "$lock"; fi &&
      (umask 077 && : >>"$lock")
  } || refuse "$HOME_FOLDER cannot be written: check that its disk has room and is not read-only"
  exec 9>>"$lock"
  flock -n 9 || refuse "another installation runs on this machine: wait for its end, and paste the line again"
  # Of one that was killed.
  rm -rf "$HOME_FOLDER"/.unfinished-*
  if [ -e "$COMMAND" ] && [ "$(readlink "$COMMAND")" != "$HOME_FOLDER/$NAME/bin/$NAME" ]; then
    refuse "$COMMAND is of another installation: remove it, or paste the line of elastic-coordinator token create --installed, which enrolls with it"
  fi
  if [ -x "$HOME_FOLDER/$NAME/bin/$NAME" ]; then
    place_command
    say "the agent is installed already ($("$HOME_FOLDER/$NAME/bin/$NAME" --version)); elastic-agent upgrade changes its version"
    return
  fi
  rm -rf "$HOME_FOLDER/$NAME-$version"
  download_release
  unpack_release
  place_settings
  place_release
  place_command
  say "installed the agent $version in $HOME_FOLDER ($size bytes downloaded, $(($(date +%s) - begun)) s)"
  cleanup
  staging=
}

if [ -x /usr/bin/$NAME ]; then
  agent=/usr/bin/$NAME
  say "the agent is installed as a Debian package ($($agent --version)), which the line leaves as it is"
else
  install_agent
  agent=$COMMAND
fi

# --- The node ---

if [ -r "$SETTINGS" ]; then
  set -a
  # shellcheck disable=SC1090
  . "$SETTINGS"
  set +a
fi
# The agent measures the machine once it is a node, and Ctrl-C skips that: the agent ends then, and this continues.
skipped=
trap 'skipped=1' INT
# printf is the shell's own: the token is no argument of a process.
if ! printf '%s\n' "$token" | "$agent" enroll --coordinator "$coordinator" --token-file - --ca-sha256 "$certificate_sha256" ${node:+--node "$node"}; then
  [ -z "$skipped" ] || interrupted 130
  if [ -e "${ELASTIC_STATE_DIR:-/var/lib/elastic-agent}/identity/node.pem" ]; then
    die "this machine is a node and stays the one that it was, for the reason above: nothing was changed"
  fi
  die "the agent is installed, and this machine is no node yet, for the reason above: make another line once that is corrected"
fi
trap 'interrupted 130' INT
token=
say "what is on this machine (elastic-agent doctor):"
"$agent" doctor || say "the agent may not run until what fails above is corrected"

if ! [ -d /run/systemd/system ]; then
  say "there is no systemd here: start the agent under your supervisor with \`elastic-agent run\`, the variables in $SETTINGS exported"
  exit 0
fi
systemctl daemon-reload
systemctl enable -q $NAME
systemctl restart --no-block $NAME
waited=0
until "$agent" status >/dev/null 2>&1; do
  [ $waited -lt $STARTS_WITHIN ] || die "the agent has not started within $STARTS_WITHIN s: journalctl -u $NAME shows why"
  waited=$((waited + 1))
  sleep 1
done
"$agent" status
say "this machine is a node, $(($(date +%s) - begun)) s after the line was pasted"
