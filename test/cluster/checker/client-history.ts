/**
 * What the clients of a run did and saw, in the order in which this process saw it. An outcome that a client cannot know
 * is `unknown`, never a failure: the server may have done it.
 */
import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import { clientLines } from "./client-lines.ts";

export type ClientEvent =
  | { readonly kind: "create-begun"; readonly call: number; readonly atMs: number; readonly input: string }
  /** Accepted: from here on the task must never be lost. */
  | { readonly kind: "created"; readonly call: number; readonly atMs: number; readonly taskId: string }
  /** The server rejected the task. */
  | { readonly kind: "create-refused"; readonly call: number; readonly atMs: number; readonly status: number }
  /** No response, or one that states that the outcome is unknown to the server too. */
  | { readonly kind: "create-unknown"; readonly call: number; readonly atMs: number; readonly error: string }
  | {
      readonly kind: "seen";
      /** When the read began; left out by who does not know. */
      readonly calledAtMs?: number;
      readonly atMs: number;
      readonly taskId: string;
      readonly state: string;
      readonly phase: string;
      readonly result: string | null;
      readonly created: string;
      readonly started: string | null;
      readonly finished: string | null;
    };

export interface ClientHistory {
  record(event: ClientEvent): void;
  events(): readonly ClientEvent[];
}

/** Writes the history to `file` too, which test/checker/main.js reads after a run whose folder stays. */
export function openClientHistory(file: string): ClientHistory {
  const events: ClientEvent[] = [];
  const lines = clientLines(basename(file));
  const write = (line: object) => appendFileSync(file, `${JSON.stringify(line)}\n`);
  write(lines.beginning);
  return {
    record(event) {
      events.push(event);
      for (const line of lines.of(event)) write(line);
    },
    events: () => events,
  };
}
