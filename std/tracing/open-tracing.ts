/** Opens tracing as it is set: off without an endpoint, and then nothing of OpenTelemetry is loaded. */
import type { SpanCounts } from "./span-queue.ts";
import { NO_TRACING, type Tracing } from "./tracing.ts";

export interface TracingOptions {
  /** Of the collector, without the path; null for no traces. */
  readonly endpoint: string | null;
  readonly service: { readonly name: string; readonly version: string; readonly instance: string };
  readonly counts: SpanCounts;
  /** Of one batch, its repetitions included; five seconds where it is not said. */
  readonly exportTimeoutMs?: number;
}

const TRACES_PATH = "v1/traces";

export async function openTracing({ endpoint, ...options }: TracingOptions): Promise<Tracing> {
  if (endpoint === null) return NO_TRACING;
  const { otlpTracing } = await import("./otlp-tracing.ts");
  const url = new URL(TRACES_PATH, endpoint.endsWith("/") ? endpoint : `${endpoint}/`).href;
  return otlpTracing({ ...options, url });
}
