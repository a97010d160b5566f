# Of up and down: the site's folder, and Docker Compose.

HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SITE=${ELASTIC_SITE:-/var/lib/elastic-site}

say() { echo "compose: $*" >&2; }

fail() {
  say "$1"
  exit "${2:-1}"
}

# compose ARGUMENT...: on this site's project.
compose() {
  "${COMPOSE[@]}" --file "$HERE/compose.yaml" --env-file "$SITE/site.env" --project-directory "$HERE" "$@"
}

find_compose() {
  local built=$HERE/../../.cache/bin/docker-compose
  if docker compose version >/dev/null 2>&1; then
    COMPOSE=(docker compose)
  elif [ -x "$built" ]; then
    COMPOSE=("$built")
  else
    fail "Docker Compose 2 is not installed: install the package docker-compose-plugin or docker-compose-v2. Nothing was changed"
  fi
}
