/** Parses the words after `npm run planted --`. Pure. */
import { basename } from "node:path";
import { parseArgs } from "node:util";

export const USAGE_EXIT = 2;

export type Order =
  | { readonly kind: "help" }
  | { readonly kind: "list" }
  | { readonly kind: "wrong"; readonly why: string }
  /** Names of bugs. */
  | { readonly kind: "try"; readonly names: readonly string[] };

export const HELP = `Usage: npm run planted -- BUG… | --list

Plants a bug into a copy of the product, and runs the test that its patch names: before, when it must pass, and after, when it
must fail. The sources here stay as they are. A BUG is the name or the path of a file of test/planted/bugs/, whose header
test/README.md describes (Planted bugs).

  --list    prints the name of each bug, the promise that it breaks, and what is wrong

Examples:
  npm run planted -- a-stale-report-is-accepted
  npm run planted -- test/planted/bugs/a-stale-report-is-accepted.patch
  npm run planted -- --list

Exit codes: 0 each test noticed its bug; 1 one did not; ${USAGE_EXIT} there is no such bug, or its patch is not as documented.`;

/** `names`: of the bugs that there are. Never throws: what cannot be understood is `wrong`, with a sentence. */
export function orderOf(line: readonly string[], names: readonly string[]): Order {
  try {
    const { values, positionals } = parseArgs({
      args: [...line],
      allowPositionals: true,
      options: { list: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return { kind: "help" };
    if (values.list) return { kind: "list" };
    if (positionals.length === 0) return { kind: "wrong", why: "name at least one bug" };
    const wanted = positionals.map((text) => basename(text, ".patch"));
    const unknown = wanted.find((name) => !names.includes(name));
    return unknown === undefined ? { kind: "try", names: wanted } : { kind: "wrong", why: unknownBug(unknown, names) };
  } catch (error) {
    // Node's own messages have further lines on arguments that look like options.
    return { kind: "wrong", why: (error as Error).message.split(". ")[0] ?? "" };
  }
}

function unknownBug(name: string, names: readonly string[]): string {
  const words = name.split("-").filter((word) => word.length > 3);
  const near = names.filter((other) => words.some((word) => other.includes(word))).slice(0, 5);
  const hint = near.length === 0 ? "" : ` (is it one of these: ${near.join(", ")}?)`;
  return `there is no file test/planted/bugs/${name}.patch${hint}`;
}
