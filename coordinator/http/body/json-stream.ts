/** Bytes on their way that must be one JSON text, as the value of `input` must be: any value, in UTF-8, not too deep. */
import { type JsonFault, type JsonListener, JsonScanner } from "@elastic/std/json/json-scanner.ts";
import { Problem } from "../problems/problem.ts";
import { DEPTH_MAX } from "./json-gate.ts";

/** What stands at the top does not matter. */
const ANY: JsonListener = { begin: () => true, key: () => true, member: () => undefined };

/** The same bytes; throws as soon as they cannot be JSON any more. `what` begins a sentence. */
export async function* checkedJson(source: AsyncIterable<Buffer>, what: string): AsyncGenerator<Buffer> {
  // An inline input is one level deep, in the body's object.
  const scanner = new JsonScanner({ listener: ANY, depthMax: DEPTH_MAX - 1 });
  for await (const chunk of source) {
    refuse(scanner.push(chunk), what);
    yield chunk;
  }
  refuse(scanner.end(), what);
}

function refuse(fault: JsonFault | null, what: string): void {
  if (fault === null) return;
  const { kind, at } = fault;
  if (kind === "too-deep") throw new Problem("too_deep", `${what} is nested more than ${DEPTH_MAX - 1} levels deep.`);
  if (kind === "not-utf8") throw new Problem("not_utf8", `${what} is not UTF-8: see the byte at offset ${at}.`);
  const why = kind === "incomplete" ? "it ends in the middle of a value" : `unexpected byte at offset ${at}`;
  throw new Problem("not_json", `${what} is not JSON: ${why}.`);
}
