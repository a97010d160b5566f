/** A task and what happens to it, live. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useServerEvents } from "../api/use-server-events.ts";
import { NO_HISTORY, TASK_EVENT_TYPES, type TaskEvent, withTaskEvent } from "./task-events.ts";
import { taskQuery } from "./task-query.ts";

/** Of one task: a component that shows another is to be keyed by its id. */
export function useTask(taskId: string) {
  const queries = useQueryClient();
  const task = useQuery(taskQuery(taskId));
  const [history, setHistory] = useState(NO_HISTORY);
  useServerEvents(`/v1/tasks/${taskId}/events`, TASK_EVENT_TYPES, (event) => {
    setHistory((before) => withTaskEvent(before, event));
    if (event.type === "task.progress") return;
    const { state, attempt } = event.data as TaskEvent;
    const known = task.data;
    // What is replayed of a task that is known as it ended changes nothing.
    const isKnown =
      known !== undefined && (known.state !== "PENDING" || (known.state === state && known.attempt === attempt));
    if (!isKnown) void queries.invalidateQueries({ queryKey: ["tasks", taskId], exact: true });
  });
  return { task, history };
}
