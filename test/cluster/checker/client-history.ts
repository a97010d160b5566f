/**
 * What the clients of a run did and saw, one JSON line an event, in the order in which this process saw it. An
 * outcome that a client cannot know is `unknown`, never a failure: the server may have done it.
 */
import { appendFileSync } from "node:fs";

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

/** Keeps the history in `file`, so that it can be looked at after a failed run. */
export function openClientHistory(file: string): ClientHistory {
  const events: ClientEvent[] = [];
  return {
    record(event) {
      events.push(event);
      appendFileSync(file, `${JSON.stringify(event)}\n`);
    },
    events: () => events,
  };
}
