import { expect, test } from "vitest";
import { startApiApart } from "./api-apart.ts";
import { call } from "./call.ts";

test("an event loop that stands still fails the work, and one that does not lets it pass", async () => {
  await using api = await startApiApart();
  await expect(api.unstalled(() => api.stall())).rejects.toThrow("the event loop stood still");
  const me = await api.unstalled(() => call(`${api.url}/v1/me`, { key: api.key }));
  expect(me.status).toBe(200);
});
