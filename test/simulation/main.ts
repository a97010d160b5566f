/** `npm run simulate`: HELP in command-line.ts lists its arguments. */
import { HELP, type Order, orderOf, replayLine, USAGE_EXIT } from "./command-line.ts";
import type { SeedRun } from "./run-seed.ts";
import { runSeeds } from "./seed-pool.ts";
import { addRun, figuresOf, NO_RUNS, sentenceOf, type Totals } from "./totals.ts";

type RunOrder = Extract<Order, { readonly kind: "run" }>;

const PROGRESS_EVERY_MS = 2_000;

const order = orderOf(process.argv.slice(2));
if (order.kind === "help") console.log(HELP);
else if (order.kind === "wrong") {
  console.error(`simulate: ${order.why}; npm run simulate -- --help lists the options`);
  process.exitCode = USAGE_EXIT;
} else process.exitCode = (await runAll(order)) ? 0 : 1;

/** Whether every promise held. */
async function runAll(order: RunOrder): Promise<boolean> {
  const { seeds, threads, json } = order;
  const beganAtMs = performance.now();
  let totals: Totals = NO_RUNS;
  let shownAtMs = beganAtMs;
  for await (const one of runSeeds(seeds, threads, order)) {
    totals = addRun(totals, one.run);
    if (json) printJson(one, order);
    else printBroken(one, order);
    if (json || performance.now() - shownAtMs < PROGRESS_EVERY_MS) continue;
    shownAtMs = performance.now();
    console.error(`${totals.seeds} of ${seeds.count} seeds, ${totals.failed} broke a promise`);
  }
  const figures = figuresOf(totals, performance.now() - beganAtMs);
  console.log(json ? JSON.stringify({ kind: "totals", ...figures }) : sentenceOf(figures));
  return totals.failed === 0;
}

function printJson({ seed, run, events, shrunk }: SeedRun, order: RunOrder): void {
  const { seconds } = order;
  const { events: eventsLeft, timeline } = shrunk ?? { events: 0, timeline: [] };
  console.log(
    JSON.stringify({
      kind: "seed",
      seed,
      seconds,
      events,
      ...run,
      eventsLeft,
      timeline,
      replay: replayLine(seed, order),
    }),
  );
}

function printBroken({ seed, run, events, shrunk }: SeedRun, order: RunOrder): void {
  if (shrunk === null) return;
  console.log(`seed ${seed} (${order.seconds} s) breaks a promise, trace ${run.trace}:`);
  for (const violation of new Set(run.violations)) console.log(`  ${violation}`);
  console.log(`With ${shrunk.events} of its ${events} events, found in ${shrunk.tried} runs:`);
  for (const line of shrunk.timeline) console.log(line);
  console.log(`Replay: ${replayLine(seed, order)}\n`);
}
