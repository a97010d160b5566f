/** Sends the progress of a running task as events without an id: they are not sent again. */
import type { Task } from "../../domain/task.ts";
import type { ProgressBoard } from "../../progress/progress-board.ts";
import { progressEvent } from "../../public/task-event.ts";
import type { EventStream } from "../sse/event-stream.ts";

/** As often as a prover is queried. */
const LOOK_MS = 1_000;

/** Until the stream closes. `current` is the task as the stream sent it last. */
export function sendProgress(
  board: Pick<ProgressBoard, "get">,
  stream: EventStream,
  current: () => Pick<Task, "id" | "phase">,
): void {
  let sent = "";
  const look = () => {
    const { id, phase } = current();
    const progress = phase.kind === "running" ? board.get(id, phase.attempt) : null;
    if (progress === null || phase.kind !== "running" || !stream.isCaughtUp) return;
    const event = progressEvent(id, phase.attempt, progress);
    const text = JSON.stringify(event);
    if (text !== sent) stream.send(event);
    sent = text;
  };
  const timer = setInterval(look, LOOK_MS);
  stream.body.once("close", () => clearInterval(timer));
}
