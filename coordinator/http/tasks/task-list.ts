/** A page of tasks as text: items carry their input and result while these are short. */
import type { Task } from "../../domain/task.ts";
import type { HttpDeps } from "../http-deps.ts";
import { offsetOf, type PageQuery, pageOf } from "../wire/page.ts";
import { type TasksQuery, taskFilterOf } from "../wire/task-query.ts";
import { taskText } from "../wire/task-record.ts";
import { smallBytes } from "./task-bytes.ts";
import { resultUrl } from "./task-link.ts";

export async function taskListText(deps: HttpDeps, teamId: string, query: TasksQuery): Promise<string> {
  const { ids, total } = deps.store.view.tasks.list(taskFilterOf(teamId, query), {
    offset: query.cursor === undefined ? offsetOf(query) : 0,
    limit: query.size,
    ...(query.cursor === undefined ? {} : { olderThan: query.cursor }),
  });
  const items = await Promise.all(ids.map((id) => itemText(deps, id)));
  return listText(items, total, query, ids.length < query.size ? null : (ids.at(-1) ?? null));
}

function listText(items: readonly string[], total: number, query: PageQuery, nextCursor: string | null): string {
  const { items: _, ...page } = pageOf([], total, query);
  const present = items.filter((item) => item !== "");
  return `{"items":[${present.join(",")}],${JSON.stringify({ ...page, next_cursor: nextCursor }).slice(1)}`;
}

/** Empty for a task that was removed since the list was made. */
async function itemText(deps: HttpDeps, id: string): Promise<string> {
  const task = (deps.store.view.tasks.get(id) ?? (await deps.store.get("tasks", id)))?.value;
  if (task === undefined) return "";
  const [input, result] = await Promise.all([inputText(deps, task), resultText(deps, task)]);
  const url = task.phase.kind === "succeeded" ? resultUrl(deps.secrets, deps.publicUrl(), id, deps.clock.now()) : null;
  const isOmitted = task.phase.kind === "succeeded" && result === "null";
  const text = taskText(task, url, isOmitted, deps.progress.get(id, task.attempts.started));
  return text.beforeInput + input + text.beforeResult + result + text.end;
}

async function inputText(deps: HttpDeps, task: Task): Promise<string> {
  if (task.input.where === "blob") return "null";
  return JSON.stringify((await smallBytes(deps, "input", task)).toString());
}

async function resultText(deps: HttpDeps, task: Task): Promise<string> {
  if (task.phase.kind !== "succeeded" || task.phase.result.where === "blob") return "null";
  return JSON.stringify((await smallBytes(deps, "result", task)).toString());
}
