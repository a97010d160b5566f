# Tools that the distribution's packages bring: collected first, installed at once.

PACKAGES_MISSING=()

has() { command -v "$1" >/dev/null 2>&1; }

# need PROGRAM PACKAGE...: the packages are installed when the program is not there.
need() {
  local program=$1
  shift
  has "$program" || PACKAGES_MISSING+=("$@")
}

can_install() { [ "$(id -u)" -eq 0 ] && has apt-get; }

install_packages() {
  [ ${#PACKAGES_MISSING[@]} -gt 0 ] || return 0
  if ! can_install; then
    fail "these Debian packages, or what they are elsewhere, have to be installed first: ${PACKAGES_MISSING[*]}"
  fi
  step "installing ${PACKAGES_MISSING[*]}" packages without_services apt_install "${PACKAGES_MISSING[@]}"
  hash -r
}

apt_install() {
  export DEBIAN_FRONTEND=noninteractive
  apt-get update
  apt-get install --yes --no-install-recommends "$@"
}

POLICY=/usr/sbin/policy-rc.d

# Runs a command while no package may start a service, then lets them as before, however the command ended.
without_services() (
  trap restore_policy EXIT
  [ ! -e "$POLICY" ] || mv "$POLICY" "$POLICY.elastic"
  printf '#!/bin/sh\nexit 101\n' >"$POLICY"
  chmod 755 "$POLICY"
  "$@"
)

restore_policy() {
  rm -f "$POLICY"
  [ ! -e "$POLICY.elastic" ] || mv "$POLICY.elastic" "$POLICY"
}
