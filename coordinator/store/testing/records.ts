/** Records for tests of the store, which does not mind what they mean. */
import { newId } from "@elastic/std/ids.ts";
import type { Task } from "../../domain/task.ts";
import { claim, queue, succeed } from "../../domain/task.ts";
import type { Team } from "../../domain/team.ts";

export function aTeam(name = "one"): Team {
  return { id: newId(Date.now()), name, createdAt: 0 };
}

export function aTask(of: { readonly teamId?: string; readonly serviceId?: string; readonly id?: string } = {}): Task {
  return queue({
    id: of.id ?? newId(Date.now()),
    teamId: of.teamId ?? "team",
    serviceId: of.serviceId ?? "service",
    serviceName: "name",
    creatorId: "creator",
    createdAt: 0,
    requestId: "request",
    input: { bytes: 2, sha256: "", where: "store" },
    budgets: { queueMs: 1, startMs: 1, runMs: 1 },
    priority: 0,
    proverRetries: 0,
  });
}

export function running(task: Task): Task {
  return claim(task, { nodeId: "node", sessionId: "session", assignmentId: "assignment" }, 1);
}

export function succeeded(task: Task): Task {
  return succeed(running(task), { bytes: 2, sha256: "", where: "store" }, 1, 2);
}
