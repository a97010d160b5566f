import { execFile } from "node:child_process";
import { createServer } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { freePort } from "./free-port.ts";

test("keeps a port from other processes while nothing listens on it, and gives it to its own again", async () => {
  const port = await freePort();
  expect(await freePortElsewhere(port)).not.toBe(port);
  expect(await freePort(port)).toBe(port);
});

test("chooses another port than the preferred one where a program listens on that", async () => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen({ host: "127.0.0.1", port: 0 }, () => resolve((server.address() as { port: number }).port));
  });
  expect(await freePort(port)).not.toBe(port);
  await new Promise((resolve) => server.close(resolve));
  expect(await freePort(port)).toBe(port);
});

test("leaves a port to others once its process has ended", async () => {
  const port = await freePortElsewhere();
  expect(await freePort(port)).toBe(port);
});

/** As another process chooses it. */
async function freePortElsewhere(preferred?: number): Promise<number> {
  const program = `import { freePort } from "${import.meta.dirname}/free-port.ts"; console.log(await freePort(${preferred}));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
  return Number(stdout);
}
