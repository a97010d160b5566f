/** Judges a run by what its clients saw and every write of a task's record: by the checks of test/checker. Pure. */
import { type Built, historyOf } from "../../checker/history.ts";
import type { At, HistoryLine } from "../../checker/history-line.ts";
import { judge } from "../../checker/judge.ts";
import type { ClientEvent } from "./client-history.ts";
import { clientLines } from "./client-lines.ts";
import type { StoreEvent } from "./store-history.ts";
import { STORE_WATCHED, writeLine } from "./store-lines.ts";

export interface History {
  readonly client: readonly ClientEvent[];
  /** In the order of revisions. */
  readonly store: readonly StoreEvent[];
  /** What ran on machines; left out where that was not recorded. */
  readonly executions?: Iterable<HistoryLine>;
}

/** Everything that the histories show to be broken; empty when no guarantee was broken. */
export function violations(history: History): readonly string[] {
  const built = historyOf(linesOf(history));
  const sentences = judge(built.history).flatMap(({ violations: found }) => found.map(({ sentence }) => sentence));
  return [...unusable(built), ...sentences];
}

function* linesOf({ client, store, executions = [] }: History): Generator<At<HistoryLine>> {
  const { beginning, of } = clientLines("client");
  const place = null;
  yield { ...beginning, place };
  yield { ...STORE_WATCHED, place };
  for (const event of client) for (const line of of(event)) yield { ...line, place };
  for (const event of store) yield { ...writeLine(event), place };
  for (const line of executions) yield { ...line, place };
}

function unusable({ misplaced }: Built): readonly string[] {
  return misplaced.map(({ why }) => why);
}
