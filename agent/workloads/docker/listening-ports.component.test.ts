import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listeningPortsOf } from "./listening-ports.ts";

test.each(["127.0.0.1", "::1"])(
  "sees a port on %s that a process's network has open, and no longer once it is closed",
  async (host) => {
    const server = createServer().listen(0, host);
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    expect(listeningPortsOf(process.pid)).toContain(port);
    server.close();
    await once(server, "close");
    expect(listeningPortsOf(process.pid)).not.toContain(port);
  },
);

test("sees nothing of a process that is not there", () => {
  expect(listeningPortsOf(2 ** 22 + 1)).toBeNull();
});
