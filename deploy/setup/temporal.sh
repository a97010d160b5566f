# The Temporal server, with which the benchmark of the service compares; nothing else needs it.

temporal_tools() { :; }

temporal_build() {
  go_program temporal temporal-server deploy/temporal . \
    "Temporal $(sed -n 's/^require go.temporal.io\/server v//p' deploy/temporal/go.mod)" \
    "the Temporal server is not built, and the benchmark of the service is not run"
}

temporal_progress() { etcd_progress "$1"; }
