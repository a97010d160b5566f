/** What agents wrote into their ledgers of executions, by the clock of the other recorders of this process. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { HistoryLine } from "../../checker/history-line.ts";
import { parseLine } from "../../checker/parse-line.ts";

const SUFFIX = "-ledger.jsonl";

/** The setting with which an agent of that name has its ledger in the folder. */
export function ledgerSetting(folder: string, agent: string): Readonly<Record<string, string>> {
  return { ELASTIC_EXECUTION_LEDGER: join(folder, `${agent}${SUFFIX}`) };
}

/** Of all agents whose ledger is in the folder, killed or not. */
export function* readExecutions(folder: string): Generator<HistoryLine> {
  // Agents go by the clock of the machine, which began before this process did.
  const sinceBoot = Number(process.hrtime.bigint() / 1_000n) / 1_000 - performance.now();
  for (const name of readdirSync(folder).filter((each) => each.endsWith(SUFFIX))) {
    for (const text of readFileSync(join(folder, name), "utf8").split("\n")) {
      for (const line of parseLine(text))
        yield "at" in line ? ({ ...line, at: line.at - sinceBoot } as HistoryLine) : line;
    }
  }
}
