/** The endpoints of tasks. */
import type { App } from "../fastify-app.ts";
import type { HttpDeps } from "../http-deps.ts";
import { cancelTask } from "./cancel-task.ts";
import { cancelTasks } from "./cancel-tasks.ts";
import { createTask } from "./create-task.ts";
import { exportTasks } from "./export-tasks.ts";
import { getLogs } from "./get-logs.ts";
import { getResult } from "./get-result.ts";
import { getTask } from "./get-task.ts";
import { listTasks } from "./list-tasks.ts";
import { taskEvents } from "./task-events.ts";

export function taskRoutes(app: App, deps: HttpDeps): void {
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
