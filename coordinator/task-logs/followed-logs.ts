/**
 * Logs that notify listeners in this process when they grew. Only a hint for followers: what another coordinator receives is
 * found by looking again.
 */
import type { TaskLogs } from "./task-logs.ts";

export interface FollowedLogs extends TaskLogs {
  /** Called after each change of a log of the task. Returns how to stop. */
  listen(taskId: string, listener: () => void): () => void;
}

export function followedLogs(logs: TaskLogs): FollowedLogs {
  const listeners = new Map<string, Set<() => void>>();
  const notify = (taskId: string): void => {
    for (const listener of listeners.get(taskId) ?? []) listener();
  };
  return {
    append: async (ref, offset, data) => {
      const state = await logs.append(ref, offset, data);
      notify(ref.taskId);
      return state;
    },
    complete: async (ref) => {
      await logs.complete(ref);
      notify(ref.taskId);
    },
    state: (ref) => logs.state(ref),
    read: (ref, from, bytesMax) => logs.read(ref, from, bytesMax),
    attempts: (task) => logs.attempts(task),
    remove: (task) => logs.remove(task),
    totalBytes: () => logs.totalBytes(),
    listen: (taskId, listener) => {
      const ofTask = listeners.get(taskId) ?? new Set();
      listeners.set(taskId, ofTask.add(listener));
      return () => {
        ofTask.delete(listener);
        if (ofTask.size === 0 && listeners.get(taskId) === ofTask) listeners.delete(taskId);
      };
    },
  };
}
