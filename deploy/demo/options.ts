/** What `npm run demo -- …` can be told. */
import { parseArgs } from "node:util";

export interface DemoOptions {
  /** Print one last line of JSON. */
  readonly json: boolean;
  /** Run the prover in a container, and start an engine for it where none answers. */
  readonly container: boolean;
  /** Leave everything running until Ctrl-C or --stop. */
  readonly keep: boolean;
  /** End a demo that was left running. */
  readonly stop: boolean;
  readonly help: boolean;
  /** Where it keeps its files; null for `.demo`. */
  readonly folder: string | null;
  /** How long set-up took before this program was started. */
  readonly setupMs: number;
}

export const HELP = `npm run demo [-- options]

Starts a coordinator, an agent and etcd on this machine, deploys the demo prover, proves something, checks the proof
with the separate verifier, and ends everything again.

  --container  run the prover in a container; an engine of its own is started where none answers and this is root
  --keep       leave it running, watched over, until Ctrl-C or --stop
  --stop       end a demo that was left running
  --json       print the outcome as one last line of JSON
  --folder     where it keeps its files while it runs (default .demo)`;

export function parseOptions(args: readonly string[]): DemoOptions {
  const flag = { type: "boolean", default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: flag,
      container: flag,
      keep: flag,
      stop: flag,
      help: { ...flag, short: "h" },
      folder: { type: "string" },
      "setup-ms": { type: "string", default: "0" },
    },
  });
  const { "setup-ms": setupMs, folder = null, ...options } = values;
  return { ...options, folder, setupMs: Number(setupMs) };
}
