/** What every JSON body passes before anything looks into it. */
import { isUtf8 } from "node:buffer";
import { setImmediate } from "node:timers/promises";
import { type JsonFault, JsonScanner, type Span } from "@elastic/std/json/json-scanner.ts";
import { slices } from "./json-text.ts";
import { TopKeys, type TopKeysRefusal } from "./top-keys.ts";

/** A slice takes less than a millisecond; between slices other requests are served. */
const SLICE_BYTES = 256 * 1024;
export const DEPTH_MAX = 64;

export type GateOutcome =
  | { readonly kind: "passed"; readonly found: ReadonlyMap<string, Span> }
  | {
      readonly kind: "refused";
      readonly code: TopKeysRefusal["code"] | "not_json" | "not_utf8" | "too_deep";
      readonly detail: string;
    };

/** Checks that the body is one JSON object in UTF-8, and finds the values of the top-level keys that are wanted. */
export async function passGate(body: Buffer, wanted: ReadonlySet<string>): Promise<GateOutcome> {
  const keys = new TopKeys(body, wanted);
  const scanner = new JsonScanner({ listener: keys, depthMax: DEPTH_MAX });
  for (const slice of slices(body, SLICE_BYTES)) {
    if (scanner.push(slice) !== null) break;
    await setImmediate();
  }
  return outcomeOf(body, keys, scanner.end());
}

/** The same at once, for bodies of at most one slice. */
export function passGateNow(body: Buffer, wanted: ReadonlySet<string>): GateOutcome {
  const keys = new TopKeys(body, wanted);
  const scanner = new JsonScanner({ listener: keys, depthMax: DEPTH_MAX });
  return outcomeOf(body, keys, scanner.push(body) ?? scanner.end());
}

export function isOneSlice(body: Buffer): boolean {
  return body.length <= SLICE_BYTES;
}

function outcomeOf(body: Buffer, keys: TopKeys, fault: JsonFault | null): GateOutcome {
  if (fault === null) return { kind: "passed", found: keys.found };
  if (body.length === 0) return { kind: "refused", code: "not_json", detail: "the body is empty" };
  // Said before anything else that is wrong with it, wherever the bytes are.
  if (!isUtf8(body)) return { kind: "refused", code: "not_utf8", detail: "the body is not UTF-8" };
  return { kind: "refused", ...(keys.refusal ?? refusalOf(fault)) };
}

function refusalOf({ kind, at }: JsonFault): { readonly code: "not_json" | "too_deep"; readonly detail: string } {
  if (kind === "too-deep") {
    return { code: "too_deep", detail: `the body is nested more than ${DEPTH_MAX} levels deep` };
  }
  const what = kind === "incomplete" ? "the body ends in the middle of a value" : null;
  return { code: "not_json", detail: what ?? `the body is not JSON: unexpected byte at offset ${at}` };
}
