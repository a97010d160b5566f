/** The endpoints of tasks. */
import type { CallerDeps } from "../access/caller.ts";
import type { BodyBudgetDeps } from "../body/body-budget.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { LogDeps } from "../logs/log-followers.ts";
import type { StreamDeps } from "../sse/event-streams.ts";
import type { AcceptDeps } from "./accept-task.ts";
import type { CancelDeps } from "./cancel-one.ts";
import { cancelTask } from "./cancel-task.ts";
import { cancelTasks } from "./cancel-tasks.ts";
import { createTask } from "./create-task.ts";
import { exportTasks } from "./export-tasks.ts";
import { getLogs } from "./get-logs.ts";
import { getResult } from "./get-result.ts";
import { getTask } from "./get-task.ts";
import { listTasks } from "./list-tasks.ts";
import { taskEvents } from "./task-events.ts";
import type { TaskPageDeps, TaskTextDeps } from "./task-list.ts";
import type { WaitDeps } from "./task-waits.ts";

export function taskRoutes(
  app: App,
  deps: CallerDeps &
    AcceptDeps &
    CancelDeps &
    TaskTextDeps &
    TaskPageDeps &
    LogDeps &
    StreamDeps &
    WaitDeps &
    BodyBudgetDeps &
    SecretDeps,
): void {
  createTask(app, deps);
  getTask(app, deps);
  getResult(app, deps);
  getLogs(app, deps);
  cancelTask(app, deps);
  cancelTasks(app, deps);
  listTasks(app, deps);
  exportTasks(app, deps);
  taskEvents(app, deps);
}
