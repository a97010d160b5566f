/** Judges recorded histories. It needs Node and this folder, and nothing else. Started by main.js, whatever Node that has. */
import { findFiles } from "./find-files.ts";
import { historyOf } from "./history.ts";
import { judge } from "./judge.ts";
import { checkOrder, HELP } from "./options.ts";
import { readFiles } from "./read-files.ts";
import { reportJson, reportText } from "./report.ts";

const VIOLATIONS = 1;
const UNUSABLE = 2;
const PROGRESS_EVERY_MS = 2_000;
const BAD_SHOWN_MAX = 20;

type Order = Extract<ReturnType<typeof checkOrder>, { kind: "check" }>;

/** Exit code 1 is that of a violation, and Node's for what nobody catches. */
process.on("uncaughtException", (error) => process.exit(failed(error)));
// Whoever reads the report may close it before its end.
process.stdout.on("error", (error: NodeJS.ErrnoException) => error.code === "EPIPE" || process.exit(failed(error)));

const order = checkOrder(process.argv.slice(2));
if (order.kind === "check") process.exitCode = await check(order).catch(failed);
else if (order.kind === "help") process.stdout.write(`${HELP}\n`);
else {
  process.stderr.write(`error: ${order.why}\n\n${HELP}\n`);
  process.exitCode = UNUSABLE;
}

async function check({ files: paths, json, limits }: Order): Promise<number> {
  const files = await findFiles(paths).catch((error: Error) => error);
  if (files instanceof Error) return unusable([files.message]);
  const read = await readFiles(files, progress()).catch((error: Error) => error);
  if (read instanceof Error) return unusable([read.message]);
  const { history, misplaced } = historyOf(read.lines);
  const bad = [...read.bad, ...misplaced.map(({ place, why }) => `${place?.file}:${place?.line}: ${why}`)];
  if (bad.length > 0) return unusable(bad);
  if (read.lines.length === 0) return unusable(["the history is empty"]);
  const report = { files, lines: read.textLines, checks: judge(history, limits) };
  if (report.checks.every(({ judged }) => judged === null))
    return unusable(["no check can judge what the history has"]);
  process.stdout.write(`${json ? reportJson(report) : reportText(report)}\n`);
  return report.checks.some(({ violations }) => violations.length > 0) ? VIOLATIONS : 0;
}

function unusable(why: readonly string[]): number {
  const more = why.length > BAD_SHOWN_MAX ? [`… and ${why.length - BAD_SHOWN_MAX} more`] : [];
  const lines = [...why.slice(0, BAD_SHOWN_MAX), ...more].join("\n");
  process.stderr.write(`error: nothing was judged; mend or leave out what is named, or see --help\n${lines}\n`);
  return UNUSABLE;
}

/** A fault of the program, and not of what it judges. */
function failed(error: unknown): number {
  const { message, stack = "", cause } = error instanceof Error ? error : new Error(String(error));
  const from = cause instanceof Error ? (cause.stack ?? cause.message) : stack;
  process.stderr.write(
    `error: nothing was judged: ${message}; this is a fault of the checker: keep the history, and report it with these lines\n${from}\n`,
  );
  return UNUSABLE;
}

/** A line every two seconds. */
function progress(): (lines: number) => void {
  let next = Date.now() + PROGRESS_EVERY_MS;
  return (lines) => {
    if (Date.now() < next) return;
    next = Date.now() + PROGRESS_EVERY_MS;
    process.stderr.write(`read ${lines.toLocaleString("en")} lines\n`);
  };
}
