/**
 * A builder that dies by SIGKILL when its build reaches a stage, as an agent does that is killed:
 * `node build-and-die.ts <json>`. At `building` it waits until a step has written something.
 */
import { readFileSync } from "node:fs";
import type { BuildSpec } from "../../domain/build-spec.ts";
import { buildLog } from "../build-log.ts";
import { type BuilderPlace, openTestBuilder } from "./test-builder.ts";

export interface Doom {
  readonly place: BuilderPlace;
  readonly spec: BuildSpec;
  /** Path of the source. */
  readonly archive: string;
  readonly at: string;
}

/** What a step writes that runs until it is killed. */
export const RUNNING = "the-step-runs";

const { place, spec, archive, at } = JSON.parse(process.argv[2] ?? "") as Doom;
const die = () => process.kill(process.pid, "SIGKILL");
const bytes = readFileSync(archive);
const { run } = await openTestBuilder(
  place,
  () =>
    async function* (_, offset) {
      yield bytes.subarray(offset, Math.ceil(bytes.length / 2));
      if (at === "fetching") die();
      yield bytes.subarray(Math.ceil(bytes.length / 2));
    },
);
let written = "";
const log = buildLog({
  bytesMax: spec.limits.logBytes,
  append: (chunk) => {
    written += chunk.toString("utf8");
    // As it writes it, and not as the build file says it.
    if (at === "building" && /^#\d+ [\d.]+ the-step-runs$/m.test(written)) die();
  },
  onFull: () => undefined,
});
const onStage = (stage: string) => {
  if (stage === at && at !== "fetching" && at !== "building") die();
};
await run(spec, { log, onStage, signal: new AbortController().signal });
