import { once } from "node:events";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { startEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { changeRecord } from "../cluster/etcd-requests.ts";
import { readyShell } from "../cluster/shell.ts";
import { importShellImage } from "../cluster/shell-image.ts";
import { runSsh, startSsh, target } from "../cluster/ssh-client.ts";

const noEngine = await whyNoEngineHere();

const WITHIN = { timeout: 90_000 };
/** The shortest life that may be requested, and how long this test waits for its end. */
const LIFE_SECONDS = 60;
const LEFT_MS = 8_000;

test.skipIf(noEngine !== null)(
  "a session is warned before the longest life ends it, and the shell starts again with its home",
  { timeout: 300_000 },
  async () => {
    await using engine = await startEngine();
    const image = await importShellImage(engine.socket);
    const address = `127.0.0.1:${await freePort()}`;
    await using cluster = await startCluster({
      engine,
      coordinatorSettings: { ELASTIC_SHELL_IMAGES: `base=${image}`, ELASTIC_SSH_LISTEN: address },
    });
    const client = cluster.client();
    const shell = await readyShell(client, { longest_life_seconds: LIFE_SECONDS, idle_stop_seconds: null });
    const place = { folder: cluster.folder, address, user: shell.shell_id, password: shell.password };

    const session = startSsh("ssh", place, ["-tt", target(place), "echo kept > file; cat"]);
    let screen = "";
    session.stdout?.on("data", (part: Buffer) => (screen += part));
    await expect.poll(() => screen, WITHIN).toContain("elastic: this shell's run ends within a minute. Its home stays");
    const runSince = Date.now() + LEFT_MS - 1_000 * LIFE_SECONDS;
    await changeRecord(cluster.etcd.endpoint, "shells", shell.shell_id, (one) => ({ ...one, runSince }));
    if (session.exitCode === null) await once(session, "exit");
    const record = async () => JSON.parse((await client.call(`/v1/shells/${shell.shell_id}`)).text) as object;
    await expect.poll(record, WITHIN).toMatchObject({ state: "STOPPED", stopped_by: "expired", expires: null });

    expect((await client.call(`/v1/shells/${shell.shell_id}/start`, { method: "POST" })).status).toBe(202);
    await expect.poll(record, WITHIN).toMatchObject({ state: "READY", password: shell.password });
    expect((await runSsh("ssh", place, [target(place), "cat file"])).out).toBe("kept\n");
  },
);
