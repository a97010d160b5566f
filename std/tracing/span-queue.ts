/**
 * Spans on their way to a collector, in memory: bounded, in batches, one on the way at a time. What there is no room for, and
 * what no collector takes, is dropped and counted; nothing waits for it.
 */
import type { ReadableSpan, SpanExporter, SpanProcessor } from "@opentelemetry/sdk-trace";

export interface SpanCounts {
  exported(spans: number): void;
  dropped(spans: number, reason: "queue_full" | "export_failed"): void;
}

const WAITING_MAX = 4_096;
const BATCH_MAX = 512;
const EXPORT_EVERY_MS = 1_000;
/** Of `ExportResultCode`, which is only loaded where traces are on. */
const SUCCESS = 0;

export class SpanQueue implements SpanProcessor {
  readonly #exporter: Pick<SpanExporter, "export" | "shutdown">;
  readonly #counts: SpanCounts;
  readonly #timer: NodeJS.Timeout;
  #waiting: ReadableSpan[] = [];
  #exporting: Promise<void> | null = null;

  constructor(exporter: Pick<SpanExporter, "export" | "shutdown">, counts: SpanCounts) {
    this.#exporter = exporter;
    this.#counts = counts;
    this.#timer = setInterval(() => this.#pump(), EXPORT_EVERY_MS).unref();
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.#waiting.length >= WAITING_MAX) {
      this.#counts.dropped(1, "queue_full");
      return;
    }
    this.#waiting.push(span);
    if (this.#waiting.length === BATCH_MAX) this.#pump();
  }

  async forceFlush(): Promise<void> {
    while (this.#exporting !== null || this.#waiting.length > 0) {
      this.#pump();
      await this.#exporting;
    }
  }

  async shutdown(): Promise<void> {
    clearInterval(this.#timer);
    await this.forceFlush();
    await this.#exporter.shutdown();
  }

  #pump(): void {
    if (this.#exporting !== null || this.#waiting.length === 0) return;
    const batch = this.#waiting.splice(0, BATCH_MAX);
    this.#exporting = this.#export(batch).then((isExported) => {
      this.#exporting = null;
      if (isExported) this.#counts.exported(batch.length);
      else this.#counts.dropped(batch.length, "export_failed");
      if (this.#waiting.length >= BATCH_MAX) this.#pump();
    });
  }

  #export(batch: ReadableSpan[]): Promise<boolean> {
    return new Promise((resolve) => this.#exporter.export(batch, ({ code }) => resolve(code === SUCCESS)));
  }
}
