#!/usr/bin/env bash
# `npm run demo`: the set-up that the demo needs, timed, then the demo. What the options mean: --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

parts=(node etcd rust)
for option in "$@"; do
  case $option in
    --stop | --help | -h) parts=(node) ;;
    --container) parts+=(engine) ;;
  esac
done
# An engine that answers already is used, and then a registry is needed beside it.
[ ! -S /var/run/docker.sock ] && [ ! -S /run/podman/podman.sock ] || parts+=(engine)

began=$(date +%s%3N)
bash deploy/setup.sh "${parts[@]}"
exec node_modules/.bin/node deploy/demo/main.ts --setup-ms $(($(date +%s%3N) - began)) "$@"
