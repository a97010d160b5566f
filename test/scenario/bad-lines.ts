/** What bad lines do to bytes, as treatments of a fault proxy. Each counts what it did, so that a scenario can show that it did. */
import { setTimeout as delay, setImmediate as turn } from "node:timers/promises";
import type { Passage, Treatment } from "../cluster/fault-proxy.ts";

export interface BadLine {
  readonly treatment: Treatment;
  /** How often the fault was brought about. */
  count(): number;
}

/** Each chunk arrives so much later; none overtakes another. */
export function slowLine(delayMs: () => number): BadLine {
  let delayed = 0;
  const inOrder = queues();
  return {
    count: () => delayed,
    treatment: (chunk, passage) => {
      const arrivesAtMs = performance.now() + delayMs();
      inOrder(passage, async () => {
        await delay(Math.max(0, arrivesAtMs - performance.now()));
        delayed += 1;
        passage.pass(chunk);
      });
    },
  };
}

/** Every byte arrives apart from the one before it. */
export function lineOfSingleBytes(): BadLine {
  let slices = 0;
  const inOrder = queues();
  return {
    count: () => slices,
    treatment: (chunk, passage) =>
      inOrder(passage, async () => {
        for (let at = 0; at < chunk.length; at += 1) {
          passage.pass(chunk.subarray(at, at + 1));
          slices += 1;
          await turn();
        }
      }),
  };
}

/** Each connection is reset in the middle of the chunk in which one of its directions has passed so many bytes. */
export function lineThatBreaksAfter(bytes: number): BadLine {
  let breaks = 0;
  const passed = new WeakMap<Passage, number>();
  return {
    count: () => breaks,
    treatment: (chunk, passage) => {
      const before = passed.get(passage) ?? 0;
      passed.set(passage, before + chunk.length);
      if (before + chunk.length < bytes) {
        passage.pass(chunk);
        return;
      }
      breaks += 1;
      passage.pass(chunk.subarray(0, Math.floor(chunk.length / 2)));
      passage.reset();
    },
  };
}

/** Long enough for the other side to do what was requested. */
const LOST_AFTER_MS = 200;

/**
 * Requests that contain the text arrive, and their responses do not: the connection passes no response from then on, and is
 * reset a moment later. So often, one at a time.
 */
export function lineThatLosesResponsesTo(text: string, times: number): BadLine {
  let begun = 0;
  let lost = 0;
  let losing: object | null = null;
  return {
    count: () => lost,
    treatment: (chunk, passage) => {
      if (passage.direction === "response") {
        if (passage.connection === losing) passage.drop(chunk);
        else passage.pass(chunk);
        return;
      }
      passage.pass(chunk);
      if (losing !== null || begun >= times || !chunk.includes(text)) return;
      losing = passage.connection;
      begun += 1;
      setTimeout(() => {
        losing = null;
        lost += 1;
        passage.reset();
      }, LOST_AFTER_MS);
    },
  };
}

/** Requests that contain the text get the connection reset before they arrive. */
export function lineThatRefuses(text: string): BadLine {
  let refused = 0;
  return {
    count: () => refused,
    treatment: (chunk, passage) => {
      if (passage.direction === "response" || !chunk.includes(text)) {
        passage.pass(chunk);
        return;
      }
      refused += 1;
      passage.reset();
    },
  };
}

/** Work of one direction of one connection is done in the order in which it came. */
function queues(): (passage: Passage, work: () => Promise<void>) => void {
  const last = new WeakMap<Passage, Promise<void>>();
  return (passage, work) => void last.set(passage, (last.get(passage) ?? Promise.resolve()).then(work));
}
