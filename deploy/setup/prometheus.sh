# Prometheus with promtool, with which tests judge the alerts.

prometheus_tools() { need promtool prometheus; }

prometheus_build() { :; }
