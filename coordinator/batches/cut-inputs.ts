/** The inputs of a batch: the elements of `inputs` in the request as it came. They are cut out of it and are not parsed. */
import { setImmediate } from "node:timers/promises";
import { arrayElements } from "@elastic/std/json/array-elements.ts";
import type { Span } from "@elastic/std/json/json-scanner.ts";

/** Between so many bytes other requests are served. */
const SLICE_BYTES = 256 * 1024;

/** `array` is where the value of `inputs` is. Stops after the input that is one too many. */
export async function cutInputs(body: Buffer, array: Span, countMax: number): Promise<readonly Buffer[]> {
  const inputs: Buffer[] = [];
  let pausedAt = array.start;
  for (const { start, end } of arrayElements(body, array)) {
    inputs.push(body.subarray(start, end));
    if (inputs.length > countMax) return inputs;
    if (end - pausedAt < SLICE_BYTES) continue;
    pausedAt = end;
    await setImmediate();
  }
  return inputs;
}
