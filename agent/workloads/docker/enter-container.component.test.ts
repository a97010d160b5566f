/** How a container is entered whose engine is behind the kernel; docker.component.test.ts has a real engine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { makeWorkFolder } from "@elastic/test/cluster/work-folder.ts";
import type { Container } from "dockerode";
import { expect, test } from "vitest";
import { enterContainer } from "./enter-container.ts";

test("reports the exit of a container that ended before it could be entered, also where its engine learns of it late", async () => {
  using folder = makeWorkFolder();
  const gone = spawn("true");
  await once(gone, "exit");
  const states = Array.from({ length: 4 }, () => ({ Running: true, Pid: gone.pid, ExitCode: 0, OOMKilled: false }));
  const container = {
    inspect: async () => ({ State: states.shift() ?? { Running: false, Pid: 0, ExitCode: 7, OOMKilled: false } }),
    logs: async () => Buffer.alloc(0),
  } as unknown as Container;
  const place = { port: 8080, socketPath: join(folder.path, "relay.sock"), connectionsMax: 1 };
  const entering = enterContainer(container, place, {
    endRequested: () => false,
    report: () => undefined,
    signal: new AbortController().signal,
  });
  await expect(entering).rejects.toMatchObject({ reason: "prover_error", exitCode: 7 });
  expect(states).toEqual([]);
});
