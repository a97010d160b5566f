# Docker Compose, with which the long tests run deploy/compose. Where `docker compose` is installed, deploy/compose/up uses that.

compose_tools() { :; }

compose_build() {
  go_program compose docker-compose deploy/compose/tool github.com/docker/compose/v2/cmd \
    "Docker Compose $(sed -n 's/^.*github.com\/docker\/compose\/v2 v\([^ ]*\).*/\1/p' deploy/compose/tool/go.mod)" \
    "Docker Compose is not built, and the test of deploy/compose fails"
}

compose_progress() { etcd_progress "$1"; }
