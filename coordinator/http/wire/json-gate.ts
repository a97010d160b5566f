/** What every JSON body passes before anything looks into it. */
import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { type ByteRange, type JsonRefusal, JsonScanner } from "./json-scanner.ts";

/** A slice takes about two milliseconds; between slices other requests are served. */
const SLICE_BYTES = 256 * 1024;

export type GateOutcome =
  | { readonly kind: "passed"; readonly found: ByteRange | null }
  | { readonly kind: "refused"; readonly code: JsonRefusal["code"] | "not_utf8"; readonly detail: string };

/** Checks that the body is one JSON object in UTF-8, and finds the value of the top-level key `wanted`. */
export async function passGate(body: Buffer, wanted: string): Promise<GateOutcome> {
  const encoding = checkEncoding(body);
  if (encoding !== null) return encoding;
  const scanner = new JsonScanner(body, wanted);
  while (!scanner.scan(SLICE_BYTES)) await setImmediate();
  return outcomeOf(scanner);
}

/** The same at once, for bodies of at most one slice. */
export function passGateNow(body: Buffer, wanted: string): GateOutcome {
  const encoding = checkEncoding(body);
  if (encoding !== null) return encoding;
  const scanner = new JsonScanner(body, wanted);
  scanner.scan(body.length);
  return outcomeOf(scanner);
}

export function isOneSlice(body: Buffer): boolean {
  return body.length <= SLICE_BYTES;
}

function checkEncoding(body: Buffer): GateOutcome | null {
  if (body.length === 0) return { kind: "refused", code: "not_json", detail: "the body is empty" };
  if (!isUtf8(body)) return { kind: "refused", code: "not_utf8", detail: "the body is not UTF-8" };
  return null;
}

function outcomeOf(scanner: JsonScanner): GateOutcome {
  const { refusal } = scanner;
  if (refusal !== null) return { kind: "refused", code: refusal.code, detail: refusal.detail };
  return { kind: "passed", found: scanner.found };
}
