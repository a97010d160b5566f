/** Parses a line after `npm run bench --`, before anything is set up or imported for it. */
import { parseArgs } from "node:util";
import type { Benchmark, Effort } from "./benchmark/benchmark.ts";

/** What a line that was put wrongly ends with. */
export const USAGE_EXIT = 2;

type Act = "run" | "prepare" | "measured" | "profile" | "baseline";

export type Order =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string }
  | {
      readonly kind: "act";
      readonly act: Act;
      readonly benchmarks: readonly Benchmark[];
      /** Whether they were named, and not all that there are. */
      readonly named: boolean;
      /** What was given of it. */
      readonly effort: Partial<Effort>;
      /** With what is compared, as it was given; of `baseline` alone. */
      readonly commit?: string;
    };

/** Never throws: what cannot be understood is `wrong`, with a sentence. */
export function orderOf(line: readonly string[], all: readonly Benchmark[]): Order {
  try {
    return read(line, all);
  } catch (error) {
    // Node's own messages about options have further lines on arguments that look like options.
    return { kind: "wrong", why: (error as Error).message.split(". ")[0] ?? "" };
  }
}

function read(line: readonly string[], all: readonly Benchmark[]): Order {
  const { positionals, values } = parseArgs({
    args: [...line],
    allowPositionals: true,
    options: {
      rounds: { type: "string" },
      seconds: { type: "string" },
      prepare: { type: "boolean", default: false },
      measured: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      baseline: { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help === true) return { kind: "help" };
  const unknown = positionals.find((name) => !all.some((benchmark) => benchmark.name === name));
  if (unknown !== undefined) throw new Error(`there is no benchmark ${unknown}`);
  const acts = (["prepare", "measured", "profile", "baseline"] as const).filter(
    (name) => values[name] !== undefined && values[name] !== false,
  );
  const [act = "run", other] = acts;
  if (other !== undefined) throw new Error(`--${act} and --${other} are two runs`);
  const named = positionals.length > 0;
  const chosen = named ? all.filter(({ name }) => positionals.includes(name)) : all;
  const benchmarks = chosen.filter((benchmark) => can(benchmark, act));
  const cannot = chosen.find((benchmark) => !can(benchmark, act));
  if (named && cannot !== undefined) {
    const who = all.filter((benchmark) => can(benchmark, act)).map(({ name }) => name);
    throw new Error(`--${act} is of ${who.join(" and ")}, and ${cannot.name} has nothing of the kind`);
  }
  const effort = { ...count("rounds", values.rounds), ...count("seconds", values.seconds) };
  const commit = values.baseline === undefined ? {} : { commit: values.baseline };
  return { kind: "act", act, benchmarks, named, effort, ...commit };
}

function can(benchmark: Benchmark, act: Act): boolean {
  if (act === "prepare") return benchmark.prepare !== undefined;
  if (act === "profile") return benchmark.profile !== undefined;
  if (act === "baseline") return benchmark.baseline !== undefined;
  return act === "run" || benchmark.measuredElsewhere !== undefined;
}

function count(what: keyof Effort, text: string | undefined): Partial<Effort> {
  if (text === undefined) return {};
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`--${what} is ${text}, which is no number from 1 to 9999`);
  return { [what]: Number(text) };
}

export function helpOf(all: readonly Benchmark[]): string {
  const width = Math.max(...all.map(({ name }) => name.length));
  const lines = all.map(
    ({ name, describes, effort: { rounds, seconds } }) =>
      `  ${name.padEnd(width)}  ${describes} (${rounds} rounds of ${seconds} s)`,
  );
  return `Usage: npm run bench -- [name…] [--rounds N] [--seconds N] [--prepare | --measured | --profile | --baseline COMMIT]

Benchmarks, with the rounds and seconds that each has by default:
${lines.join("\n")}

Without a name all are run that this machine can run. Measure on a quiet machine: each prints a table and writes bench/results/<name>.json.
Rounds or seconds below the default make a trial run: its figures mean little and are not written. With fewer rounds
accel and accel-gpu measure only the smallest size of each row; a second is what a row's contenders share.
--prepare builds what accel-gpu and plonk-gpu need, without a GPU, so that bench/accel-gpu/on-gpu.sh and
bench/plonk-gpu/on-gpu.sh can measure on a machine that has one and neither Node nor a network; --measured makes the results of
what those left in target/.
--profile shows where the time of service goes: CPU by process and layer, system calls, and the time from stage to stage of a
task. It leaves CPU profiles for a browser's developer tools in target/profile/, and writes no results.
--baseline COMMIT compares the service of the working tree with that of another commit, in turns: CPU time a task and
latencies. The commit is checked out into .cache/baseline/ with the dependencies that it pins, and stays there; nothing is
written to the results.

Examples:
  npm run bench -- service
  npm run bench -- service --baseline HEAD~1
  npm run bench -- service --profile
  npm run bench -- service --baseline HEAD~10 --rounds 1 --seconds 2`;
}
