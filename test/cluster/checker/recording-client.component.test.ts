/** How a create is recorded by its response, and what the checker finds where its task exists all the same. */
import { claim, queue, succeed, type Task } from "@elastic/coordinator/domain/task.ts";
import { expect, test } from "vitest";
import type { ApiClient } from "../api-client.ts";
import { violations } from "./check-history.ts";
import type { ClientEvent } from "./client-history.ts";
import { recordingClient } from "./recording-client.ts";

const RESULT = { bytes: 1, sha256: "", where: "store" } as const;
const queued = queue({
  ...{ id: "t", teamId: "", serviceId: "", serviceName: "", creatorId: "", createdAt: 0, requestId: "" },
  ...{ input: RESULT, budgets: { queueMs: 1, startMs: 1, runMs: 1 }, priority: 0, proverRetries: 0 },
});
const running = claim(queued, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 1);
const store = [queued, running, succeed(running, RESULT, 1, 2)].map((task: Task, index) => ({
  ...{ taskId: "t", revision: 1 + index, task },
}));
const SEEN = { state: "SUCCESS", phase: "succeeded", result: "r", started: null, finished: null } as const;
const seen: ClientEvent = { kind: "seen", atMs: Number.MAX_SAFE_INTEGER, taskId: "t", created: "", ...SEEN };

/** What is recorded of one create that got this response; null for none. */
async function recorded(status: number | null): Promise<readonly ClientEvent[]> {
  const events: ClientEvent[] = [];
  const call = async () => {
    if (status === null) throw new Error("the connection was reset");
    return { status, headers: new Headers(), text: "", json: { task_id: "t" } };
  };
  const history = { record: (event: ClientEvent) => void events.push(event), events: () => events };
  await recordingClient(() => ({ call }) as unknown as ApiClient, history).create("s", "{}");
  return events;
}

test.each([400, 401, 403, 404, 409, 413, 415, 422, 429])(
  "records a create as rejected with %d, and finds its task where a client reads it",
  async (status) => {
    const events = await recorded(status);
    expect(events.map(({ kind }) => kind)).toEqual(["create-begun", "create-refused"]);
    expect(violations({ client: events, store: [] })).toEqual([]);
    const found =
      /1 tasks were not acknowledged to anybody, and only 0 responses were lost; 1 create more were rejected/;
    expect(violations({ client: [...events, seen], store }).join("\n")).toMatch(found);
  },
);

test.each([null, 200, 202, 302, 408, 500, 502, 503, 504, 507])(
  "records a create as unknown with %s, and accepts that it made a task, or none",
  async (status) => {
    const events = await recorded(status);
    expect(events.map(({ kind }) => kind)).toEqual(["create-begun", "create-unknown"]);
    expect(violations({ client: events, store: [] })).toEqual([]);
    expect(violations({ client: [...events, seen], store })).toEqual([]);
  },
);

test("records a create as acknowledged with 201 alone", async () => {
  const events = await recorded(201);
  expect(events.map(({ kind }) => kind)).toEqual(["create-begun", "created"]);
  expect(violations({ client: events, store })).toEqual([]);
});
