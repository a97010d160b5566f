import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { smallDisk } from "../cluster/small-disk.ts";
import { userCommand } from "../cluster/user-command.ts";

const MIB = 2 ** 20;

interface NodeRecord {
  readonly state: string;
  readonly workloads: number;
  readonly disk_pressure: string | null;
}

test("a node whose disks are full takes no new work and shows why; with room again it does", async () => {
  using disk = smallDisk("128m");
  await using cluster = await startCluster({ agents: 0 });
  const client = cluster.client();
  const large = join(disk.path, "large");
  writeFileSync(large, Buffer.alloc(80 * MIB));
  const full = await cluster.addAgent({
    ELASTIC_STATE_DIR: join(disk.path, "state"),
    ELASTIC_SLOTS: "1",
    ELASTIC_DISK_HIGH_PERCENT: "60",
    ELASTIC_DISK_LOW_PERCENT: "30",
  });
  const node = async () => (await client.call(`/v1/nodes/${full.nodeId}`)).json as NodeRecord;
  expect(await node()).toMatchObject({
    state: "READY",
    disk_pressure: expect.stringMatching(/^the disk of .*\/state is \d\d % full, above 60 %, and nothing/),
  });

  const run = userCommand({ folder: cluster.folder, url: client.url, key: client.key, engineSocket: "/none" });
  expect((await run("node", "info", full.nodeId)).stdout).toMatch(/^no new work: the disk of /m);

  const first = await client.createService("first");
  await client.deploy(first.service_id, { image: "builtin:echo" });
  await cluster.addAgent({ ELASTIC_SLOTS: "1" });
  await client.serviceIs(first.service_id, "Ready");
  expect(await node()).toMatchObject({ workloads: 0 });

  // The only slot that is free is there.
  const second = await client.createService("second");
  await client.deploy(second.service_id, { image: "builtin:echo" });
  rmSync(large);
  await client.serviceIs(second.service_id, "Ready");
  expect(await node()).toMatchObject({ workloads: 1, disk_pressure: null });
});
