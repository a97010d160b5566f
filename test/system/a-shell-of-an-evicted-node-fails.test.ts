import { expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { shellOf } from "../cluster/shell.ts";
import { startShellCluster } from "../cluster/shell-cluster.ts";

const noEngine = await whyNoEngineHere();

const WITHIN = { timeout: 90_000 };

test.skipIf(noEngine !== null)(
  "a shell waits while its machine is away, fails when that is out of the fleet, and can be deleted then",
  { timeout: 300_000 },
  async () => {
    await using shells = await startShellCluster({ shell: { home_bytes: 64 << 20 } });
    const { cluster } = shells;
    const { shell_id: id } = shells.shell;
    const client = cluster.client();
    const [agent] = cluster.agents;
    if (agent === undefined) throw new Error("the cluster has an agent");

    await agent.kill();
    await expect
      .poll(() => shellOf(client, id), WITHIN)
      .toMatchObject({ state: "CREATING", waiting_for: expect.stringContaining("it is away"), failure: null });

    expect((await client.call(`/v1/nodes/${agent.nodeId}/evict`, { method: "POST" })).status).toBe(204);
    await expect
      .poll(() => shellOf(client, id), WITHIN)
      .toMatchObject({
        state: "FAILED",
        failure: { reason: "node_lost", message: expect.stringContaining("no longer part of the fleet") },
      });

    expect((await client.call(`/v1/shells/${id}`, { method: "DELETE" })).status).toBe(204);
    await expect.poll(() => shellOf(client, id), WITHIN).toMatchObject({ state: "DELETED", password: null });
    expect(JSON.parse((await client.call("/v1/shells")).text)).toMatchObject({ items: [] });
  },
);
