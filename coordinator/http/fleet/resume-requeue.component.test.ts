import { Writable } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { REQUEUE_ORDER } from "../../domain/requeue-order.ts";
import { call } from "../testing/call.ts";
import { addKey, startHttpFixture } from "../testing/http-fixture.ts";

test("an operator resumes requeueing for ten minutes, again if need be, which the audit log has; nobody else may", async () => {
  const lines: { readonly event?: string; readonly byKeyId?: string }[] = [];
  const sink = new Writable({
    write: (line, _encoding, done) => {
      lines.push(JSON.parse(String(line)));
      done();
    },
  });
  const api = await startHttpFixture(pino(sink));
  const { userId, teamId } = api.own;
  const resume = (key: string) => call(`${api.url}/v1/fleet/resume-requeue`, { key, method: "POST" });
  const user = await addKey(api.store, { userId, defaultTeamId: teamId, scopes: ["services", "keys"] });
  expect((await resume(user)).json.code).toBe("scope_missing");
  expect(await api.store.get("requeue-orders", REQUEUE_ORDER)).toBeNull();
  const startedAt = Date.now();
  for (const _ of ["once", "again"]) {
    const { status, text } = await resume(api.own.key);
    expect(status).toBe(200);
    const until = Date.parse(`${(JSON.parse(text) as { requeue_until: string }).requeue_until}Z`);
    expect(until).toBeGreaterThan(startedAt + 598_000);
    const order = await api.store.get("requeue-orders", REQUEUE_ORDER);
    expect(order?.value).toMatchObject({ userId });
    expect(order?.value.until).toBeGreaterThanOrEqual(until);
  }
  expect(lines.filter(({ event }) => event === "requeue_resumed")).toHaveLength(2);
  await api.close();
});
