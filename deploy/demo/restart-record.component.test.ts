import { mkdtempSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../local/free-port.ts";
import { openRestartRecord } from "./restart-record.ts";

const folder = mkdtempSync(join(tmpdir(), "restart-record-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("has the facts and ports of the earlier start", async () => {
  const file = join(folder, "restart.json");
  const first = openRestartRecord(file);
  expect(first.facts()).toEqual({});
  first.set({ nodeId: "aa" });
  const http = await first.port("http");
  const again = openRestartRecord(file);
  again.set({ serviceId: "bb" });
  expect(again.facts()).toEqual({ nodeId: "aa", serviceId: "bb", ports: { http } });
  expect(await again.port("http")).toBe(http);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("rejects another port where users' links and images are named by it", async () => {
  const taken = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(taken, "127.0.0.1", resolve));
  const file = join(folder, "taken.json");
  openRestartRecord(file).set({ ports: { registry: taken, etcd: taken } });
  const restart = openRestartRecord(file);
  await expect(restart.port("registry")).rejects.toThrow(
    `listens on port ${taken}, which is this state's registry port`,
  );
  expect(await restart.port("etcd")).not.toBe(taken);
  server.close();
});
