/**
 * A task as clients know it, for judging their calls: absent, open, or ended as some response showed it. Between two calls
 * the service may end an open task as it likes; what a call shows of an end holds from then on.
 */
import type { Call } from "./history.ts";
import type { SeenTask } from "./history-line.ts";
import type { Model } from "./linearize.ts";

type Register =
  | { readonly kind: "absent" }
  | { readonly kind: "open" }
  | { readonly kind: "ended"; readonly as: string };

const ABSENT: Register = { kind: "absent" };
const OPEN: Register = { kind: "open" };

export const taskRegister: Model<Register, Call> = {
  initial: ABSENT,
  step(state, { f, outcome, task }) {
    // What was rejected did nothing, and of what is unknown only a creation shows: any open task may end at any time.
    if (outcome === "fail" || (outcome !== "ok" && f !== "create")) return state;
    if (f === "create") return state.kind !== "absent" ? shown(state, task) : shown(OPEN, task);
    if (task === null) return state.kind === "absent" ? state : null;
    if (state.kind === "absent") return null;
    // A cancellation returns the task as it has ended.
    if (f === "cancel" && task?.state === "PENDING") return null;
    return shown(state, task);
  },
  // Nothing follows an end; and what shows no end changes nothing.
  isRead: (state, { f, outcome, task }) =>
    state.kind === "ended" ||
    outcome === "fail" ||
    (f !== "create" && task?.state !== "SUCCESS" && task?.state !== "FAILURE"),
  key: (state) => (state.kind === "ended" ? state.as : state.kind),
};

/** The state after a response that showed `task`; null where it cannot have. */
function shown(state: Register, task: Call["task"]): Register | null {
  if (task === undefined || task === null) return state;
  if (task.state === "PENDING") return state.kind === "open" ? state : null;
  const as = endOf(task);
  if (state.kind === "open") return { kind: "ended", as };
  return state.kind === "ended" && state.as === as ? state : null;
}

function endOf({ state, phase, finished }: SeenTask): string {
  return JSON.stringify([state, phase, finished ?? null]);
}
