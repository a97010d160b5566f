import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { searchPath } from "../local/search-path.ts";
import { placesIn } from "./places.ts";
import { makeUser } from "./user.ts";

const TEAM_ID = "0193a0b0c0d0e0f00193a0b0c0d0e0f0";
const folder = mkdtempSync(join(tmpdir(), "demo-user-test-"));
const server = createServer((_request, response) => {
  const items = [{ team_id: TEAM_ID, name: "renamed by its owner", role: "owner" }];
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ items, pages: 1 }));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

test("logs in to a team that was renamed, by its id, and returns its name", async () => {
  const said: string[] = [];
  const surroundings = { path: searchPath(process.env.PATH ?? ""), engineSocket: null };
  const user = makeUser(placesIn(folder), surroundings, (line) => said.push(line));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await user.login({ url, key: "eps_key", teamId: TEAM_ID })).toBe("renamed by its owner");
  expect(said).toEqual([`$ ELASTIC_API_KEY=… elastic login --url ${url} --team ${TEAM_ID}`]);
});
