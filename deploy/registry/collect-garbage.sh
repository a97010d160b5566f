#!/bin/sh
# Frees the room of images that were deleted from a registry (distribution registry, such as Debian's docker-registry).
# Usage: collect-garbage.sh --unit NAME | --stopped [CONFIG]
#   --unit NAME  the registry's systemd unit: stopped meanwhile, and started again
#   --stopped    the registry is stopped, or read-only (storage.maintenance.readonly.enabled), and restarted afterwards
#   CONFIG       its configuration; /etc/docker/registry/config.yml if left out
# An upload during the collection would lose its layers, so it never runs next to a registry that accepts uploads. Manifests
# without a tag stay: deployments refer to images by digest.
# Example, each Sunday night: 17 4 * * 0 root /opt/elastic/deploy/registry/collect-garbage.sh --unit docker-registry
set -eu

usage() {
  sed -n '2,/^# Example/s/^# //p' "$0" >&"$1"
}

unit=
case "${1-}" in
  --unit)
    unit="${2-}"
    [ -n "$unit" ] || { usage 2; exit 2; }
    shift 2
    ;;
  --stopped) shift ;;
  --help) usage 1; exit 0 ;;
  *)
    echo "collect-garbage: is the registry stopped? Give --unit NAME to have it stopped, or --stopped. Nothing was changed." >&2
    usage 2
    exit 2
    ;;
esac

config="${1-/etc/docker/registry/config.yml}"
[ -r "$config" ] || { echo "collect-garbage: $config cannot be read. Nothing was changed." >&2; exit 1; }
program="$(command -v docker-registry || command -v registry)" || {
  echo "collect-garbage: neither docker-registry nor registry is on the PATH. Nothing was changed." >&2
  exit 1
}

if [ -z "$unit" ]; then
  exec "$program" garbage-collect --delete-untagged=false "$config"
fi

# In the background, since a shell handles a signal only between commands: it ends the collection, and the registry starts again
# whatever happens, also where the signal comes while it is being stopped. dash runs no EXIT trap where a signal ends it.
collecting=
restart() {
  code=$?
  trap '' INT TERM HUP
  trap - EXIT
  if [ -n "$collecting" ]; then
    kill "$collecting" 2>/dev/null || true
    wait "$collecting" 2>/dev/null || true
  fi
  systemctl start "$unit" || {
    echo "collect-garbage: $unit was not started again: systemctl start $unit" >&2
    [ "$code" -ne 0 ] || code=1
  }
  exit "$code"
}
trap restart EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
systemctl stop "$unit"
"$program" garbage-collect --delete-untagged=false "$config" &
collecting=$!
wait "$collecting"
