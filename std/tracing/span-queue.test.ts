import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { expect, test } from "vitest";
import { SpanQueue } from "./span-queue.ts";

const A_SPAN = {} as ReadableSpan;

/** An exporter whose responses are given when the test gives them. */
function aQueue() {
  const batches: { readonly size: number; respond: (code: 0 | 1) => void }[] = [];
  const counted = { exported: 0, queue_full: 0, export_failed: 0 };
  const exporter: Pick<SpanExporter, "export" | "shutdown"> = {
    export: (spans, respond) => void batches.push({ size: spans.length, respond: (code) => respond({ code }) }),
    shutdown: async () => undefined,
  };
  const queue = new SpanQueue(exporter, {
    exported: (spans) => {
      counted.exported += spans;
    },
    dropped: (spans, reason) => {
      counted[reason] += spans;
    },
  });
  const end = (spans: number) => {
    for (let n = 0; n < spans; n++) queue.onEnd(A_SPAN);
  };
  return { queue, batches, counted, end };
}

test("has one batch on the way, and drops and counts what there is no room for while a collector does not respond", () => {
  const { batches, counted, end } = aQueue();
  end(100_000);
  expect(batches.map(({ size }) => size)).toEqual([512]);
  expect(counted).toEqual({ exported: 0, queue_full: 100_000 - 512 - 4_096, export_failed: 0 });
});

test("drops and counts what a collector refuses, and sends the next batch", async () => {
  const { queue, batches, counted, end } = aQueue();
  end(600);
  batches[0]?.respond(1);
  const stopping = queue.shutdown();
  await expect.poll(() => batches.length).toBe(2);
  batches[1]?.respond(0);
  await stopping;
  expect(counted).toEqual({ exported: 88, queue_full: 0, export_failed: 512 });
});
