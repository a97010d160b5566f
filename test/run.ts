/**
 * `npm test`: every test that needs no GPU, over all runners. `-- --long` adds the suites that take long.
 * The last line is `N passed, N failed, N skipped`.
 */
import { whyNoEngineHere } from "./cluster/engine.ts";
import { isCi } from "./cluster/machine.ts";
import { runAccelTests } from "./runners/accel.ts";
import { runCargoTests } from "./runners/cargo.ts";
import { runCheck } from "./runners/check.ts";
import { add, atLeastOne, type Count, NONE, sentence } from "./runners/count.ts";
import { runVitest } from "./runners/vitest.ts";

const long = process.argv.includes("--long");
const projects = long ? ["unit", "system", "long"] : ["unit", "system"];
const noEngine = await whyNoEngineHere();
const told: string[] = [];

async function runner(name: string, run: () => Promise<Count>): Promise<Count> {
  console.log(`\n== ${name}`);
  const began = performance.now();
  const count = atLeastOne(await run());
  told.push(`${name}: ${sentence(count)} (${Math.round((performance.now() - began) / 1000)} s)`);
  return count;
}

let total = NONE;
total = add(total, await runner("check", runCheck));
total = add(total, await runner("cargo", () => runCargoTests({ long })));
total = add(total, await runner("accel", () => runAccelTests({ long })));
total = add(
  total,
  await runner("vitest", async () => {
    const { count, skipped } = await runVitest(projects, { show: true });
    if (skipped.length > 0) told.push(`skipped, for ${noEngine ?? "no reason that is known"}:`);
    told.push(...skipped.map((name) => `  ${name}`));
    return count;
  }),
);
if (noEngine !== null && isCi()) {
  told.push(`on CI nothing may be skipped, and there is no container engine: ${noEngine}`);
  total = add(total, { ...NONE, failed: 1 });
}

console.log(`\n${told.join("\n")}\n\n${sentence(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
