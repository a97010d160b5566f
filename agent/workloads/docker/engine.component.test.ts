import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { probeEngine } from "./engine.ts";

afterAll(removeTemporaryFolders);

test("the text of the engine's client in a log stays short while calls are open", async () => {
  const socketPath = join(temporaryFolder(), "engine.sock");
  let open = 0;
  const server = createServer((requested, answer) => {
    if (requested.url?.endsWith("/version")) answer.end(JSON.stringify({ Version: "1" }));
    else if (requested.url?.endsWith("/info")) answer.end("{}");
    else open += 1;
  });
  server.listen(socketPath);
  await once(server, "listening");
  const { docker } = await probeEngine(socketPath);
  const calls = Promise.allSettled(Array.from({ length: 20 }, () => docker.getContainer("c").inspect()));
  await expect.poll(() => open).toBe(20);
  const { agent } = docker.modem as unknown as { readonly agent: object };
  expect(inspect(agent, { showHidden: true, depth: null }).length).toBeLessThan(100);
  server.closeAllConnections();
  await calls;
  server.close();
});
