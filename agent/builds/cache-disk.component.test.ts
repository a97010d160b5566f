/** Disks of teams' layers, with this machine's loop devices, as root: which of them are evicted. */
import { readdirSync } from "node:fs";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { openCacheDisks } from "./cache-disk.ts";

afterAll(removeTemporaryFolders);

const MIB = 2 ** 20;

test("offers for eviction the layers that no build uses, and makes a new disk for the next one", async () => {
  const folder = temporaryFolder();
  const disks = await openCacheDisks({ folder, diskBytes: 16 * MIB, totalBytes: 1024 * MIB });
  const [one, other] = [newId(1), newId(2)];
  await (await disks.mount(one)).unmount();
  const held = await disks.mount(other);
  expect(disks.folder()).toBe(folder);
  const offered = await disks.evictable();
  expect(offered.map(({ name }) => name)).toEqual([`layers of the builds of team ${one}`]);
  await offered[0]?.evict();
  expect(readdirSync(folder)).not.toContain(`${one}.ext4`);

  await held.unmount();
  const [next] = await disks.evictable();
  const again = await disks.mount(other);
  await expect(next?.evict()).rejects.toThrow("a build uses it");
  expect(readdirSync(folder)).toContain(`${other}.ext4`);
  await again.unmount();
  await (await disks.mount(one)).unmount();
  expect(await disks.evictable()).toHaveLength(2);
});
