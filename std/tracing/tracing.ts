/** Spans of distributed traces. Off by default: then a `traceparent` that came is passed on, and nothing else happens. */

export interface SpanText {
  readonly name: string;
  /** `server` for a request that was received, `client` for one that was sent. */
  readonly kind?: "internal" | "server" | "client";
  readonly attributes?: Readonly<Record<string, string | number>>;
}

export interface SpanEnd {
  readonly attributes?: Readonly<Record<string, string | number>>;
  /** Why it failed, as a name from a closed list: never text of users. */
  readonly error?: string | undefined;
}

export interface BegunSpan {
  /** Of what is called within it. Undefined where there is no trace. */
  readonly traceparent: string | undefined;
  end(end?: SpanEnd): void;
}

export interface Tracing {
  /** Without a parent it begins a trace. */
  begin(parent: string | undefined, span: SpanText): BegunSpan;
  /** Of what has passed, in milliseconds of Unix time. Nothing without a parent. */
  record(
    parent: string | undefined,
    span: SpanText & SpanEnd & { readonly fromMs: number; readonly toMs: number },
  ): void;
  /** Sends what has not been sent, for a short while. */
  stop(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  begin: (traceparent) => ({ traceparent, end: () => undefined }),
  record: () => undefined,
  stop: async () => undefined,
};

/** Of what has no trace nothing is begun. */
export function beginWithin(tracing: Pick<Tracing, "begin">, parent: string | undefined, span: SpanText): BegunSpan {
  return (parent === undefined ? NO_TRACING : tracing).begin(parent, span);
}

/** For parts that are made before it is known whether there are traces. */
export class LateTracing implements Tracing {
  #tracing = NO_TRACING;

  use(tracing: Tracing): void {
    this.#tracing = tracing;
  }

  begin(parent: string | undefined, span: SpanText): BegunSpan {
    return this.#tracing.begin(parent, span);
  }

  record(...span: Parameters<Tracing["record"]>): void {
    this.#tracing.record(...span);
  }

  stop(): Promise<void> {
    return this.#tracing.stop();
  }
}
