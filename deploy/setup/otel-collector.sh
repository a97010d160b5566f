# The OpenTelemetry Collector: long tests have it receive traces.

otel_collector_tools() { :; }

otel_collector_build() {
  go_program otelcol otelcol deploy/otel-collector . "the OpenTelemetry Collector" \
    "the OpenTelemetry Collector is not built, and the long test of traces fails"
}

otelcol_progress() { etcd_progress "$1"; }
