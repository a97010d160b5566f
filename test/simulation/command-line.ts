/** Parses the words after `npm run simulate --`. */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { BUGS, type Bug } from "./fleet-under-test.ts";

export const USAGE_EXIT = 2;

interface Seeds {
  readonly first: number;
  readonly count: number;
}

export type Order =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string }
  | {
      readonly kind: "run";
      readonly seeds: Seeds;
      readonly seconds: number;
      readonly threads: number;
      readonly json: boolean;
      readonly bug: Bug | null;
    };

/** A seed has 31 bits. */
const SEED_MAX = 2 ** 31 - 1;
const SEEDS_DEFAULT = 100;
const SECONDS_DEFAULT = 60;

export const HELP = `Usage: npm run simulate -- [--seeds N | --seed S] [--from S] [--seconds V] [--threads N] [--bug NAME] [--json]

Runs coordinators, agents and clients in one thread under virtual time, breaks what can break, heals it, and checks that every
promise held. A seed draws the fleet and all of its events; the same seed takes the same course. A seed with which a promise is
broken is shrunk to the fewest events and shown as a timeline, with the line that replays it.

  --seeds N      how many seeds (default: ${SEEDS_DEFAULT})
  --from S       the first of them (default: 1)
  --seed S       this seed alone
  --seconds V    virtual seconds in which events happen (default: ${SECONDS_DEFAULT})
  --threads N    in which seeds run at the same time (default: as many as there are processors)
  --bug NAME     breaks the product on purpose: ${BUGS.map((bug) => `"${bug}"`).join(", ")}
  --json         a line of JSON for each seed, and one for all of them

Examples:
  npm run simulate -- --seeds 1000                          1,000 seeds
  npm run simulate -- --seeds 500 --from 20000 --seconds 300
  npm run simulate -- --seed 1305                           replays one
  npm run simulate -- --seeds 50 --bug "the fence is ignored"

Exit codes: 0 every promise held; 1 one was broken; ${USAGE_EXIT} the line is wrong.`;

/** What to paste to run a seed again, on the same sources: it takes the same course. */
export function replayLine(
  seed: number,
  { seconds, bug }: { readonly seconds: number; readonly bug: Bug | null },
): string {
  return `npm run simulate -- --seed ${seed} --seconds ${seconds}${bug === null ? "" : ` --bug "${bug}"`}`;
}

/** Never throws: what cannot be understood is `wrong`, with a sentence. */
export function orderOf(line: readonly string[]): Order {
  try {
    return read(line);
  } catch (error) {
    // Node's own messages have further lines on arguments that look like options.
    return { kind: "wrong", why: (error as Error).message.split(". ")[0] ?? "" };
  }
}

const OPTIONS = {
  seeds: { type: "string" },
  from: { type: "string" },
  seed: { type: "string" },
  seconds: { type: "string" },
  threads: { type: "string" },
  bug: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;

/** Before Node's own check, whose message names no option that there is. */
function refuseUnknown(line: readonly string[]): void {
  const names = Object.keys(OPTIONS);
  const unknown = line.find((word) => word.startsWith("--") && !names.includes(word.slice(2).split("=")[0] ?? ""));
  if (unknown === undefined || unknown === "--") return;
  const [option] = unknown.split("=");
  throw new Error(`there is no option ${option}: there are ${names.map((name) => `--${name}`).join(", ")}`);
}

function read(line: readonly string[]): Order {
  refuseUnknown(line);
  const { values, positionals } = parseArgs({ args: [...line], allowPositionals: true, options: OPTIONS });
  if (values.help) return { kind: "help" };
  const [word] = positionals;
  if (word !== undefined) {
    throw new Error(
      `"${word}" belongs to no option: one seed is --seed ${/^\d+$/.test(word) ? word : "1305"}, several are --seeds 100`,
    );
  }
  if (values.seed !== undefined && (values.seeds !== undefined || values.from !== undefined)) {
    throw new Error("--seed is one seed; --seeds and --from are several");
  }
  const bug = BUGS.find((name) => name === values.bug) ?? null;
  if (values.bug !== undefined && bug === null) {
    throw new Error(`there is no bug "${values.bug}": there is ${BUGS.map((name) => `"${name}"`).join(", ")}`);
  }
  const one = values.seed === undefined ? null : numberOf("seed", values.seed, SEED_MAX);
  const first = one ?? numberOf("from", values.from ?? "1", SEED_MAX);
  const count = one === null ? numberOf("seeds", values.seeds ?? String(SEEDS_DEFAULT), 10_000_000) : 1;
  // Those beyond it could not be replayed.
  if (first + count - 1 > SEED_MAX)
    throw new Error(`--from ${first} leaves ${SEED_MAX - first + 1} seeds, not ${count}: the last is ${SEED_MAX}`);
  return {
    kind: "run",
    seeds: { first, count },
    seconds: numberOf("seconds", values.seconds ?? String(SECONDS_DEFAULT), 100_000),
    threads: numberOf("threads", values.threads ?? String(availableParallelism()), 1_000),
    json: values.json,
    bug,
  };
}

function numberOf(option: string, text: string, most: number): number {
  const number = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > most)
    throw new Error(`--${option} is ${text}, which is not a whole number from 1 to ${most}`);
  return number;
}
