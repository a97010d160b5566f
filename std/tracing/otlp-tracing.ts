/** Traces over OTLP (HTTP, protobuf), by OpenTelemetry's own SDK. Imported only where they are on: see open-tracing.ts. */
import { setTimeout as delay } from "node:timers/promises";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import { resourceFromAttributes } from "@opentelemetry/resources";
import { TracerProvider } from "@opentelemetry/sdk-trace";
import type { TracingOptions } from "./open-tracing.ts";
import { SpanQueue } from "./span-queue.ts";
import { formatTraceparent, parseTraceparent } from "./trace-context.ts";
import type { SpanEnd, SpanText, Tracing } from "./tracing.ts";

const EXPORT_TIMEOUT_MS = 5_000;
const STOP_TIMEOUT_MS = 2_000;
const KINDS = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

export function otlpTracing({
  url,
  service,
  counts,
  exportTimeoutMs = EXPORT_TIMEOUT_MS,
}: Omit<TracingOptions, "endpoint"> & { readonly url: string }): Tracing {
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": service.name,
      "service.version": service.version,
      "service.instance.id": service.instance,
    }),
    spanProcessors: [new SpanQueue(exporter, counts)],
  });
  const tracer = provider.getTracer("elastic-proving-service", service.version);

  /** A trace that the caller does not sample is not sampled here. */
  const start = (parent: string | undefined, { name, kind, attributes = {} }: SpanText, startTime?: number) => {
    const context = parent === undefined ? null : parseTraceparent(parent);
    const on =
      context === null
        ? ROOT_CONTEXT
        : trace.setSpanContext(ROOT_CONTEXT, {
            traceId: context.traceId,
            spanId: context.spanId,
            traceFlags: context.isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
            isRemote: true,
          });
    return tracer.startSpan(name, { kind: KINDS[kind ?? "internal"], attributes, ...(startTime && { startTime }) }, on);
  };
  const end = (span: ReturnType<typeof start>, { attributes, error }: SpanEnd, endTime?: number) => {
    if (attributes !== undefined) span.setAttributes(attributes);
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end(endTime);
  };
  return {
    begin: (parent, text) => {
      const span = start(parent, text);
      const { traceId, spanId, traceFlags } = span.spanContext();
      const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
      return {
        // What is not sampled has no span: its parent stays the parent.
        traceparent: isSampled ? formatTraceparent({ traceId, spanId, isSampled }) : parent,
        end: (how = {}) => end(span, how),
      };
    },
    record: (parent, text) => {
      if (parent !== undefined) end(start(parent, text, text.fromMs), text, Math.max(text.fromMs, text.toMs));
    },
    stop: () => Promise.race([provider.shutdown(), delay(STOP_TIMEOUT_MS, undefined, { ref: false })]),
  };
}
