import { expect, test } from "vitest";
import { createLog } from "../log.ts";
import { listenForMetrics } from "./metrics-listener.ts";

const log = createLog({ name: "test", level: "silent" });
const listen = { host: "127.0.0.1", port: 0 };

test("serves nothing but /metrics and stops though a client keeps its connection", async () => {
  const source = { contentType: "text/plain; version=0.0.4", metrics: async () => "up 1\n" };
  const listener = await listenForMetrics({ source, listen, log });
  const url = `http://${listener.address}/metrics`;
  const response = await fetch(url);
  expect([response.headers.get("content-type"), await response.text()]).toEqual([source.contentType, "up 1\n"]);
  expect((await fetch(url.replace("/metrics", "/"))).status).toBe(404);
  expect((await fetch(url, { method: "POST" })).status).toBe(404);
  await listener.stop();
  await expect(fetch(url)).rejects.toThrow();
});

test("responds with 500 where the metrics cannot be collected", async () => {
  const source = { contentType: "text/plain", metrics: () => Promise.reject(new Error("no such gauge")) };
  const listener = await listenForMetrics({ source, listen, log });
  expect((await fetch(`http://${listener.address}/metrics`)).status).toBe(500);
  await listener.stop();
});
