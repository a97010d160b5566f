#!/usr/bin/env bash
# `npm run demo`: the set-up that the demo needs, timed, then the demo. What the options mean: --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

for option in "$@"; do
  case $option in
    --help | -h)
      cat deploy/demo/help.txt
      exit 0
      ;;
  esac
done

# Wrong options are reported before minutes of set-up, where a Node that runs TypeScript is there already.
node=node_modules/.bin/node
[ -x "$node" ] || node=node
status=0
wrong=$("$node" deploy/demo/check-options.ts "$@" 2>&1) || status=$?
if [ "$status" -eq 2 ]; then
  printf '%s\n' "$wrong" >&2
  exit 2
fi

parts=(node console template etcd demo-prover)
# An engine that responds already is used, and then a registry is needed as well.
[ ! -S /var/run/docker.sock ] && [ ! -S /run/podman/podman.sock ] || parts+=(engine demo-image)
for option in "$@"; do
  case $option in
    --stop) parts=(node) ;;
    --container) parts+=(engine demo-image) ;;
    --shells) parts+=(engine demo-image ssh) ;;
    --base-images) parts+=(engine demo-image cargo) ;;
  esac
done

began=$(date +%s%3N)
bash deploy/setup.sh "${parts[@]}"
exec node_modules/.bin/node deploy/demo/main.ts --setup-ms $(($(date +%s%3N) - began)) "$@"
