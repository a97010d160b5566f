import { once } from "node:events";
import { expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { changeRecord } from "../cluster/etcd-requests.ts";
import { startShellCluster } from "../cluster/shell-cluster.ts";
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
    const limits = { longest_life_seconds: LIFE_SECONDS, idle_stop_seconds: null };
    await using shells = await startShellCluster({ shell: limits });
    const { cluster, shell, place } = shells;
    const client = cluster.client();

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
