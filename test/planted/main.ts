/** `npm run planted`: HELP in command-line.ts lists its arguments. */
import { HELP, orderOf, USAGE_EXIT } from "./command-line.ts";
import { type PlantedBug, readPlantedBugs } from "./planted-bug.ts";
import { type Tried, tryBugs } from "./try-bugs.ts";

process.exitCode = await main(process.argv.slice(2));

async function main(line: readonly string[]): Promise<number> {
  try {
    const bugs = readPlantedBugs();
    const order = orderOf(
      line,
      bugs.map(({ name }) => name),
    );
    if (order.kind === "wrong") throw new Error(`${order.why}; npm run planted -- --help lists what it takes`);
    if (order.kind === "help") console.log(HELP);
    else if (order.kind === "list")
      for (const { name, promise, bug } of bugs) console.log(`${promise} ${name}: ${bug}`);
    else return (await tryAll(bugs.filter(({ name }) => order.names.includes(name)))) ? 0 : 1;
    return 0;
  } catch (error) {
    console.error(`planted: ${(error as Error).message}`);
    return USAGE_EXIT;
  }
}

/** Whether each was noticed. */
async function tryAll(bugs: readonly PlantedBug[]): Promise<boolean> {
  let areCaught = true;
  for (const bug of bugs) {
    const { file, test } = bug.caughtBy;
    console.error(`${bug.name}: running "${test}" of ${file}, without the bug and with it`);
    const [tried] = await tryBugs([bug]);
    const why = tried === undefined ? null : whyMissed(tried);
    console.log(`${bug.name}: ${why ?? "caught, the test passes without it and fails with it"}`);
    areCaught &&= why === null;
  }
  return areCaught;
}

/** Null where the test noticed it. */
function whyMissed({ without, planted }: Tried): string | null {
  if (without === "missing") return "NOT CAUGHT: no test of that file has this full name; correct the line Caught-by";
  if (without === "failed") return "NOT CAUGHT: the test fails without the bug too; mend it first";
  if (planted === "missing")
    return "NOT CAUGHT: with the bug the test does not run at all; the patch must leave its file valid";
  if (planted === "passed") return "NOT CAUGHT: the test passes with the bug; name another one, or write it";
  return null;
}
