/** Parses the words after `node test/checker/main.js`. Pure. */
import { parseArgs } from "node:util";
import type { Limits } from "./check.ts";
import { DEFAULT_LIMITS } from "./judge.ts";

export type CheckOrder =
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly why: string }
  | { readonly kind: "check"; readonly files: readonly string[]; readonly json: boolean; readonly limits: Limits };

export const HELP = `Usage: node test/checker/main.js [--json] [--end-within SECONDS] [--requeue-within SECONDS] FILE|FOLDER…

Judges recorded histories: whether tasks were lost or doubled, fenced attempts counted, reads went back, results changed, slots
were shared, work did not end. FILEs are JSON Lines as docs/history-checker.md has them, and what the HTTP interface exports;
of a FOLDER, as a test leaves it, those called *-history*.jsonl. All of them are one history.

  --json                    one JSON document: every check, whether it ran or why not, and every violation
  --end-within SECONDS      from the marker healed to the end of each task; default ${DEFAULT_LIMITS.endWithinMs / 1000}
  --requeue-within SECONDS  from the marker node-died until its tasks are queued again; default ${DEFAULT_LIMITS.requeueWithinMs / 1000}

Exit code: 0 no violations, 1 violations, 2 unusable: no such file, a bad line, or nothing that any
check can judge.

Examples:
  node test/checker/main.js /tmp/elastic-test-x7Qb2k
  node test/checker/main.js client-history.jsonl store-history.jsonl
  curl -H "x-api-key: $KEY" "$URL/v1/tasks/export?format=json" > tasks.json && node test/checker/main.js tasks.json`;

export function checkOrder(words: readonly string[]): CheckOrder {
  try {
    return read(words);
  } catch (error) {
    // Node's own messages have further lines on arguments that look like options.
    return { kind: "wrong", why: (error as Error).message.split(". ")[0] ?? "" };
  }
}

function read(words: readonly string[]): CheckOrder {
  const { values, positionals: files } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      "end-within": { type: "string" },
      "requeue-within": { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
  });
  if (values.help) return { kind: "help" };
  if (files.length === 0) throw new Error("name at least one history");
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) throw new Error(`${twice} is named twice`);
  const limits = {
    endWithinMs: milliseconds("--end-within", values["end-within"]) ?? DEFAULT_LIMITS.endWithinMs,
    requeueWithinMs: milliseconds("--requeue-within", values["requeue-within"]) ?? DEFAULT_LIMITS.requeueWithinMs,
  };
  return { kind: "check", files, json: values.json, limits };
}

function milliseconds(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,6}(\.\d+)?$/.test(text)) throw new Error(`${option} is a number of seconds, and not ${text}`);
  return Number(text) * 1000;
}
