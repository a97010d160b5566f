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

test("collects once for scrapes that come together, and gives each what was collected after it came", async () => {
  let counter = 0;
  let collections = 0;
  const metrics = async () => {
    collections += 1;
    return `counter ${counter}\n`;
  };
  const listener = await listenForMetrics({ source: { contentType: "text/plain", metrics }, listen, log });
  const startMs = performance.now();
  const scrapeInTurns = async (turns: number) => {
    for (let turn = 0; turn < turns; turn++) {
      counter += 1;
      const counted = counter;
      const text = await (await fetch(`http://${listener.address}/metrics`)).text();
      expect(Number(/^counter (\d+)$/m.exec(text)?.[1])).toBeGreaterThanOrEqual(counted);
    }
  };
  await Promise.all(Array.from({ length: 32 }, () => scrapeInTurns(4)));
  const tenths = (performance.now() - startMs) / 100;
  expect(collections).toBeGreaterThanOrEqual(4);
  expect(collections).toBeLessThanOrEqual(1 + tenths);
  await listener.stop();
});
