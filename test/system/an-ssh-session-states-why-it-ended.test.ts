import { once } from "node:events";
import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { type ShellCluster, startShellCluster } from "../cluster/shell-cluster.ts";
import { runSsh, startSsh, target } from "../cluster/ssh-client.ts";

const noEngine = await whyNoEngineHere();
const BACK_WITHIN = { timeout: 90_000, interval: 500 };

const parts = new AsyncDisposableStack();
let shells: ShellCluster;
beforeAll(async () => {
  if (noEngine === null) shells = parts.use(await startShellCluster());
}, 240_000);
afterAll(() => parts.disposeAsync());

/** The last line of a session that was open while `act` was done, with and without a terminal. */
async function brokenOffBy(act: () => Promise<unknown>): Promise<readonly string[]> {
  const sessions = [["-T"], ["-tt"]].map((how) => {
    const session = startSsh("ssh", shells.place, [...how, target(shells.place), "echo in; sleep 600"]);
    const output = { text: "", session, ended: once(session, "exit") };
    for (const stream of [session.stdout, session.stderr]) {
      stream?.on("data", (bytes: Buffer) => {
        output.text += bytes.toString();
      });
    }
    return output;
  });
  for (const output of sessions) await expect.poll(() => output.text, BACK_WITHIN).toContain("in");
  await act();
  for (const { ended } of sessions) expect((await ended)[0]).toBe(255);
  return sessions.map(({ text }) => text.trim().split("\n").at(-1) ?? "");
}

async function letsInAgain(): Promise<void> {
  const echo = async () => (await runSsh("ssh", shells.place, [target(shells.place), "echo back"])).out;
  await expect.poll(echo, BACK_WITHIN).toBe("back\n");
}

describe.skipIf(noEngine !== null)(
  "a session states why it ends, and the next login works",
  { timeout: 180_000 },
  () => {
    test("when its container dies", async () => {
      const [agent] = shells.cluster.agents;
      const docker = new Docker({ socketPath: shells.engine.socket });
      const lines = await brokenOffBy(async () => {
        for (const { Id } of await containersOf(shells.engine.socket, agent?.nodeId ?? "")) {
          await docker.getContainer(Id).kill();
        }
      });
      expect(lines).toEqual(Array(2).fill("elastic: the shell's container has ended"));
      await letsInAgain();
    });

    test("when its machine's agent dies", async () => {
      const [agent] = shells.cluster.agents;
      const lines = await brokenOffBy(async () => await agent?.kill());
      expect(lines).toEqual(Array(2).fill("elastic: the connection to the shell's machine was lost"));
      expect((await runSsh("ssh", shells.place, [target(shells.place), "true"])).err).toContain("is not connected");
      await agent?.start();
      await letsInAgain();
    });

    test("when its user stops it", async () => {
      const { shell_id: id } = shells.shell;
      const call = (verb: string) => shells.cluster.client().call(`/v1/shells/${id}/${verb}`, { method: "POST" });
      const lines = await brokenOffBy(async () => expect((await call("stop")).status).toBe(202));
      expect(lines).toEqual(Array(2).fill("elastic: the shell's container has ended"));
      expect((await runSsh("ssh", shells.place, [target(shells.place), "true"])).err).toContain("the shell is STOPPED");
      expect((await call("start")).status).toBe(202);
      await letsInAgain();
    });
  },
);
