/**
 * Runs one runner in a separate process: `node test/runners/main.ts NAME END_FILE [--long]`. run-apart.ts starts it,
 * so that runners can have different priorities, and each one's CPU time can be measured.
 */
import { writeFileSync } from "node:fs";
import { isCi } from "../cluster/machine.ts";
import { cpuSeconds } from "../times/cpu-clock.ts";
import type { TimedEnd } from "./run-apart.ts";
import type { Runner } from "./runner.ts";
import { isRunnerName, RUNNERS } from "./runners.ts";

const [name = "", endFile = "", ...flags] = process.argv.slice(2);
if (!isRunnerName(name)) throw new Error(`there is no runner ${name}`);
const began = performance.now();
const run: Runner = RUNNERS[name].run;
const end = await run({ long: flags.includes("--long"), ci: isCi() });
const seconds = (performance.now() - began) / 1000;
writeFileSync(endFile, JSON.stringify({ ...end, seconds, cpuSeconds: cpuSeconds() } satisfies TimedEnd));
