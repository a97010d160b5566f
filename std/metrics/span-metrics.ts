/** What becomes of the spans of traces; nothing is counted while traces are off. */
import { Counter, type Registry } from "prom-client";
import type { SpanCounts } from "../tracing/span-queue.ts";

export function addSpanMetrics(registry: Registry): SpanCounts {
  const exported = new Counter({
    name: "elastic_trace_spans_exported_total",
    help: "Spans that the collector at ELASTIC_OTLP_ENDPOINT took.",
    registers: [registry],
  });
  const dropped = new Counter({
    name: "elastic_trace_spans_dropped_total",
    help: "Spans that were dropped: the collector did not take them (export_failed), or more waited than there is room for (queue_full).",
    labelNames: ["reason"],
    registers: [registry],
  });
  for (const reason of ["queue_full", "export_failed"]) dropped.inc({ reason }, 0);
  return {
    exported: (spans) => exported.inc(spans),
    dropped: (spans, reason) => dropped.inc({ reason }, spans),
  };
}
