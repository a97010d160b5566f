/**
 * The envelope that provers of the original service return: an object of exactly the keys `task_id`,
 * `result`, `status`, `started` and `finished`, whose task_id is the requested one. Status 2 is good,
 * 3 is bad. Any other response is the output itself.
 */
import type { Span } from "@elastic/std/json/json-scanner.ts";
import type { JsonShape } from "./json-shape.ts";

const KEYS = ["finished", "result", "started", "status", "task_id"];
const GOOD = "2";
const BAD = "3";

/** What the response means: which part of it is the output, or that the prover failed. */
export type Reading =
  | { readonly kind: "output"; readonly value: Span }
  | { readonly kind: "failed"; readonly value: Span }
  | { readonly kind: "unknown-status"; readonly status: string };

/** Short parts are read through `read`: an envelope's keys, id and status are. */
export async function readEnvelope(
  shape: JsonShape,
  taskId: string,
  read: (span: Span) => Buffer | Promise<Buffer>,
): Promise<Reading> {
  const whole: Reading = { kind: "output", value: shape.value };
  if (shape.kind !== "object" || shape.members.length !== KEYS.length) return whole;
  const values = new Map<string, Span>();
  for (const { key, value } of shape.members) {
    if (key.end - key.start > 16) return whole;
    values.set((await read(key)).toString("latin1"), value);
  }
  const [result, status, id] = [values.get("result"), values.get("status"), values.get("task_id")];
  if ([...values.keys()].sort().join() !== KEYS.join()) return whole;
  if (result === undefined || status === undefined || id === undefined) return whole;
  if (id.end - id.start !== taskId.length + 2 || (await read(id)).toString("latin1") !== `"${taskId}"`) return whole;
  const code = (await read({ start: status.start, end: Math.min(status.end, status.start + 16) })).toString("latin1");
  if (code === GOOD) return { kind: "output", value: result };
  return code === BAD ? { kind: "failed", value: result } : { kind: "unknown-status", status: code };
}
