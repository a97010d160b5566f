/** `npm test`: HELP in command-line.ts lists its arguments. Its last line is `N passed, N failed, N skipped`. */
import { HELP, type Order, orderOf, USAGE_EXIT } from "./command-line.ts";
import { runFiles } from "./files.ts";
import { runFlaky } from "./flaky/run-flaky.ts";
import { measured } from "./measured.ts";
import { runQuick } from "./quick/run-quick.ts";
import { add, type Count, NONE, sentence } from "./runners/count.ts";
import { runNamed, runSuite } from "./suite.ts";

type Runs = Exclude<Order, { readonly kind: "help" | "wrong" }>;

const order = orderOf(process.argv.slice(2));
if (order.kind === "help") console.log(HELP);
else if (order.kind === "wrong") {
  console.error(`npm test: ${order.why}; npm test -- --help lists them`);
  process.exitCode = USAGE_EXIT;
} else {
  const count = await run(order);
  console.log(`\n${sentence(count)}`);
  process.exitCode = count.failed === 0 ? 0 : 1;
}

async function run(order: Runs): Promise<Count> {
  switch (order.kind) {
    case "all":
      return await measured(() => runSuite(order), { whole: true });
    case "some": {
      const { runners, words } = order;
      const files = words.length > 0 ? await runFiles(words) : NONE;
      const named = runners.length > 0 ? await measured(() => runNamed(runners, order), { whole: false }) : NONE;
      return add(files, named);
    }
    case "quick":
      return await runQuick(order);
    case "flaky":
      return await runFlaky(order);
  }
}
