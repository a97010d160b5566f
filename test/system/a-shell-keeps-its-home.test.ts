import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { containersOf } from "@elastic/deploy/local/node-containers.ts";
import Docker from "dockerode";
import { expect, test } from "vitest";
import type { ApiClient } from "../cluster/api-client.ts";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { inContainer } from "../cluster/in-container.ts";
import { shellOf } from "../cluster/shell.ts";
import { startShellCluster } from "../cluster/shell-cluster.ts";

const noEngine = await whyNoEngineHere();

const STARTS_WITHIN = { timeout: 90_000 };

test.skipIf(noEngine !== null)(
  "a shell's home outlives stop, start and a killed agent; its scratch does not; deleting it leaves nothing",
  { timeout: 180_000 },
  async () => {
    await using shells = await startShellCluster({
      userNamespaces: true,
      shell: { shell_name: "lab", home_bytes: 64 << 20, memory_bytes: 128 << 20 },
    });
    const { cluster, engine } = shells;
    const { shell_id: id } = shells.shell;
    const client = cluster.client();
    const [agent] = cluster.agents;
    if (agent === undefined) throw new Error("the cluster has an agent");
    const docker = new Docker({ socketPath: engine.socket });
    const containers = async () => (await containersOf(engine.socket, agent.nodeId)).map(({ Id }) => Id);
    const inShell = async (command: string) => inContainer(engine.socket, (await containers())[0] ?? "", command);
    const folder = join(cluster.folder, "agent-1-state", "shells");

    // As sealed off as a prover, but for what is its own.
    expect(await inShell("id -u; pwd; echo $HOME")).toBe("65534\n/home/shell\n/home/shell\n");
    expect(await inShell("cat /proc/self/uid_map")).toMatch(/^\s*0\s+[1-9]\d+\s+65536\n$/);
    expect(await inShell("touch /etc/x 2>&1 || echo refused")).toContain("refused");
    expect(await inShell("cat /proc/self/status")).toMatch(/CapBnd:\s+0+\n.*NoNewPrivs:\s+1\n/s);
    expect(await inShell("cat /proc/net/dev")).not.toContain("eth");
    // A full disk is the shell's own.
    expect(await inShell("dd if=/dev/zero of=full bs=1M count=100 2>&1; rm full")).toContain("No space left");
    await inShell("echo kept > kept; echo gone > /tmp/gone");

    const [before] = await containers();
    const volumesMade = await volumesOf(docker, before);
    expect(volumesMade).not.toEqual([]);
    await agent.kill();
    await agent.start();
    await agent.linked();
    await expect.poll(() => stateOf(client, id), STARTS_WITHIN).toBe("READY");
    expect(await containers()).toEqual([before]);

    expect((await client.call(`/v1/shells/${id}/stop`, { method: "POST" })).status).toBe(202);
    await expect.poll(containers, STARTS_WITHIN).toEqual([]);
    await expect.poll(() => loopDevices(folder), STARTS_WITHIN).toBe("");
    expect(await stateOf(client, id)).toBe("STOPPED");

    expect((await client.call(`/v1/shells/${id}/start`, { method: "POST" })).status).toBe(202);
    await expect.poll(() => stateOf(client, id), STARTS_WITHIN).toBe("READY");
    expect(await inShell("cat kept; ls /tmp")).toBe("kept\n");
    volumesMade.push(...(await volumesOf(docker, (await containers())[0])));

    expect((await client.call(`/v1/shells/${id}`, { method: "DELETE" })).status).toBe(204);
    await expect.poll(() => existsSync(join(folder, id)), STARTS_WITHIN).toBe(false);
    expect(await containers()).toEqual([]);
    expect(loopDevices(folder)).toBe("");
    const { Volumes: volumes } = await docker.listVolumes();
    expect(volumes.filter(({ Name: name }) => volumesMade.includes(name))).toEqual([]);
    expect(await stateOf(client, id)).toBe("DELETED");
  },
);

/** By name; others may have some in the same engine. */
async function volumesOf(docker: Docker, container: string | undefined): Promise<string[]> {
  const { Mounts: mounts } = await docker.getContainer(container ?? "").inspect();
  return mounts.flatMap(({ Type: type, Name: name }) => (type === "volume" && name !== undefined ? [name] : []));
}

/** With the reason where it failed. */
async function stateOf(client: ApiClient, id: string): Promise<string> {
  const { state, failure } = await shellOf(client, id);
  return failure === null ? state : `${state}: ${failure.message}`;
}

/** Of files in the folder. */
function loopDevices(folder: string): string {
  const all = execFileSync("losetup", ["--noheadings", "--output", "NAME,BACK-FILE"], { encoding: "utf8" });
  return all
    .split("\n")
    .filter((line) => line.includes(folder))
    .join("\n");
}
