/**
 * `npm test`: every test that needs no GPU, over all runners; `npm test -- cargo`: those of the runners named alone.
 * `--long` adds the suites that take long. The last line is `N passed, N failed, N skipped`.
 */
import { parseArgs } from "node:util";
import { whyNoEngineHere } from "./cluster/engine.ts";
import { isCi } from "./cluster/machine.ts";
import { runAccelTests } from "./runners/accel.ts";
import { runApart } from "./runners/apart.ts";
import { compileCargoTests, runCargoTests } from "./runners/cargo.ts";
import { runCheck } from "./runners/check.ts";
import { add, atLeastOne, type Count, NONE, sentence } from "./runners/count.ts";
import { runVitest } from "./runners/vitest.ts";

const { values, positionals: named } = parseArgs({
  options: { long: { type: "boolean", default: false } },
  allowPositionals: true,
});
const { long } = values;
const told: string[] = [];
const noEngine = await whyNoEngineHere();

const RUNNERS = {
  check: runCheck,
  cargo: () => runCargoTests({ long }),
  accel: () => runAccelTests({ long }),
  vitest: runAllOfVitest,
};
type Runner = keyof typeof RUNNERS;

async function runAllOfVitest(): Promise<Count> {
  const projects = long ? ["unit", "system", "long"] : ["unit", "system"];
  const { count, skipped } = await runVitest(projects, { show: true });
  if (skipped.length > 0) told.push(`skipped, for ${noEngine ?? "no reason that is known"}:`);
  told.push(...skipped.map((name) => `  ${name}`));
  if (noEngine === null || !isCi()) return count;
  told.push(`on CI nothing may be skipped, and there is no container engine: ${noEngine}`);
  return add(count, { ...NONE, failed: 1 });
}

async function runner(name: Runner, run = RUNNERS[name]): Promise<Count> {
  console.log(`\n== ${name}`);
  const began = performance.now();
  const count = atLeastOne(await run());
  told.push(`${name}: ${sentence(count)} (${Math.round((performance.now() - began) / 1000)} s)`);
  return count;
}

/** What keeps the cores busy is given what time the others leave, from the start and one after the other. */
async function runAll(): Promise<readonly Count[]> {
  const checked = await runner("check");
  const apart = (name: Runner) => runner(name, () => runApart(name, { long }));
  const accel = apart("accel");
  await compileCargoTests({ long });
  const vitest = runner("vitest");
  return [checked, await accel, await apart("cargo"), await vitest];
}

async function runNamed(): Promise<readonly Count[]> {
  const counts: Count[] = [];
  for (const name of named) counts.push(isRunner(name) ? await runner(name) : noRunner(name));
  return counts;
}

function isRunner(name: string): name is Runner {
  return Object.hasOwn(RUNNERS, name);
}

function noRunner(name: string): Count {
  told.push(`there is no runner ${name}; there are ${Object.keys(RUNNERS).join(", ")}`);
  return { ...NONE, failed: 1 };
}

const total = (await (named.length === 0 ? runAll() : runNamed())).reduce(add, NONE);
console.log(`\n${told.join("\n")}\n\n${sentence(total)}`);
process.exitCode = total.failed === 0 ? 0 : 1;
