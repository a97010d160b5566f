/** W3C Trace Context: the header `traceparent`, which names a trace and the span in it that calls. `tracestate` is not passed on. */

interface TraceContext {
  /** 32 lower-case hexadecimal characters. */
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const SAMPLED = 0x01;

/** Null for what is no such header; a later version may have more behind it. */
export function parseTraceparent(text: string): TraceContext | null {
  const [, version, traceId, spanId, flags = "00", rest] = TRACEPARENT.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || (version === "00" && rest !== undefined)) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 };
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** In the version that is known here; undefined for what is no such header. */
export function readTraceparent(text: string | undefined): string | undefined {
  const context = text === undefined ? null : parseTraceparent(text);
  return context === null ? undefined : formatTraceparent(context);
}

/** For a line of the log; nothing where there is no trace. */
export function traceFields(traceparent: string | undefined): { readonly trace_id?: string } {
  return traceparent === undefined ? {} : { trace_id: traceparent.split("-")[1] ?? "" };
}
