import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { freePort } from "../local/free-port.ts";
import { httpPort } from "./http-port.ts";
import { openRestartRecord } from "./restart-record.ts";

const folder = mkdtempSync(join(tmpdir(), "http-port-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("says once which port it listens on where another program has the usual one", async () => {
  const said: string[] = [];
  const say = (line: string): number => said.push(line);
  const usual = await freePort();
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(usual, "127.0.0.1", resolve));
  const file = join(folder, "restart.json");
  const port = await httpPort(openRestartRecord(file), usual, say);
  const line = `Another program listens on port ${usual}: the demo listens on port ${port} instead.`;
  expect(said).toEqual([line]);
  // Later starts of the same state have that port.
  expect(await httpPort(openRestartRecord(file), usual, say)).toBe(port);
  expect(said).toEqual([line]);
  server.close();
});

test("says nothing where the usual port is free, or none is wanted", async () => {
  const said: string[] = [];
  const say = (line: string): number => said.push(line);
  const usual = await freePort();
  expect(await httpPort(openRestartRecord(join(folder, "free.json")), usual, say)).toBe(usual);
  await httpPort(openRestartRecord(join(folder, "any.json")), undefined, say);
  expect(said).toEqual([]);
});
