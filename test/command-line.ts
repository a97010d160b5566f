/** Parses the words after `npm test --`. */
import { parseArgs } from "node:util";
import { isRunnerName, RUNNERS, type RunnerName } from "./runners/runners.ts";

export const USAGE_EXIT = 2;

export type Order =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string }
  | { readonly kind: "all"; readonly long: boolean }
  | { readonly kind: "quick"; readonly base: string | null }
  | { readonly kind: "flaky"; readonly times: number; readonly words: readonly string[] }
  | {
      readonly kind: "some";
      readonly runners: readonly RunnerName[];
      readonly words: readonly string[];
      readonly long: boolean;
    };

export const HELP = `Usage: npm test [-- WHAT…]

  npm test                                   everything that needs no GPU
  npm test -- quick                          check, the pure tier, and component tests of what changed; --base REF says
                                             since when (default: main of the remote, else HEAD)
  npm test -- system                         one runner: ${Object.keys(RUNNERS).join(", ")}
  npm test -- coordinator/http webhook       test files of any tier whose path has one of these words
  npm test -- flaky 20 [WORD…]               the system tier, or those of its files, 20 times under load

Options: --long adds the suites that take long (npm run test:long); --help shows this.
Times of the last run are in .cache/test-times.json; which tier may take how long, in test/README.md.`;

/** Never throws: what cannot be understood is `wrong`, with a sentence. */
export function orderOf(line: readonly string[]): Order {
  try {
    return read(line);
  } catch (error) {
    // Node's own messages have further lines on arguments that look like options.
    return { kind: "wrong", why: (error as Error).message.split(". ")[0] ?? "" };
  }
}

function read(line: readonly string[]): Order {
  const { values, positionals } = parseArgs({
    args: [...line],
    allowPositionals: true,
    options: {
      long: { type: "boolean", default: false },
      base: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return { kind: "help" };
  const [first, ...rest] = positionals;
  if (values.base !== undefined && first !== "quick") throw new Error("--base belongs to quick");
  if (first === undefined) return { kind: "all", long: values.long };
  if (first === "quick") {
    if (rest.length > 0) throw new Error("quick takes no words; npm test -- WORD runs files by their path");
    return { kind: "quick", base: values.base ?? null };
  }
  if (first === "flaky") return flaky(rest);
  return {
    kind: "some",
    runners: positionals.filter(isRunnerName),
    words: positionals.filter((word) => !isRunnerName(word)),
    long: values.long,
  };
}

function flaky([times = "", ...words]: readonly string[]): Order {
  if (!/^[1-9]\d{0,2}$/.test(times)) throw new Error(`flaky takes a number of times from 1 to 999, not "${times}"`);
  return { kind: "flaky", times: Number(times), words };
}
