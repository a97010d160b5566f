import type { TaskHistory } from "../../archive/task-history.ts";

/** Tasks, live and archived. */
export interface HistoryDeps {
  readonly history: TaskHistory;
}
