/** With this machine's own programs and loop devices, as root. */
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { afterAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../../testing/temporary-folder.ts";
import { openShellDisks } from "./shell-disks.ts";

afterAll(removeTemporaryFolders);

const SILENT = ["ignore", "pipe", "ignore"] as const;
const SIZES = { homeBytes: 32 * 2 ** 20, scratchBytes: 16 * 2 ** 20, rootId: 0 };

function fileSystemOf(device: string): string {
  return execFileSync("blkid", ["-p", "-s", "UUID", "-o", "value", device], { encoding: "utf8" }).trim();
}

function devicesIn(folder: string): string {
  const all = execFileSync("losetup", ["--noheadings", "--output", "BACK-FILE"], { encoding: "utf8" });
  return all
    .split("\n")
    .filter((line) => line.includes(folder))
    .join("\n");
}

test("a home stays the same over attach and detach, and a scratch is new each time", { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const disks = openShellDisks(folder);
  const id = newId(1);
  const first = await disks.attach(id, SIZES);
  const [home, scratch] = [fileSystemOf(first.home), fileSystemOf(first.scratch)];
  await disks.detach(id);
  expect(devicesIn(folder)).toBe("");
  expect(existsSync(join(folder, id, "scratch.ext4"))).toBe(false);

  const second = await disks.attach(id, SIZES);
  expect(fileSystemOf(second.home)).toBe(home);
  expect(fileSystemOf(second.scratch)).not.toBe(scratch);

  // An agent that was killed left it attached: it is not attached twice.
  expect((await disks.attach(id, SIZES)).home).toBe(second.home);

  await disks.erase(id);
  expect(devicesIn(folder)).toBe("");
  expect(existsSync(join(folder, id))).toBe(false);
});

test("a new home and a new scratch hold nothing, so that whoever copies all of it meets nothing of root's", {
  timeout: 60_000,
}, async () => {
  const disks = openShellDisks(temporaryFolder());
  const id = newId(4);
  const { home, scratch } = await disks.attach(id, SIZES);
  for (const disk of [home, scratch]) {
    const names = execFileSync("debugfs", ["-R", "ls -p /", disk], { encoding: "utf8", stdio: [...SILENT] });
    expect(names.split("\n").flatMap((line) => line.split("/")[5] ?? [])).toEqual([".", ".."]);
    // Throws if it finds a fault.
    execFileSync("fsck.ext4", ["-n", "-f", disk], { stdio: [...SILENT] });
  }
  await disks.erase(id);
});

test("what a kill left half made is made again", { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  const disks = openShellDisks(folder);
  const id = newId(2);
  await disks.attach(id, SIZES);
  await disks.erase(id);
  await disks.attach(id, SIZES);
  await disks.detach(id);
  writeFileSync(join(folder, id, "home.ext4.new"), "half");
  const { home } = await disks.attach(id, SIZES);
  expect(fileSystemOf(home)).toMatch(/^[0-9a-f-]{36}$/);
  await disks.erase(id);
});

test("a disk that the machine has no room for is refused before it takes any", async () => {
  const folder = temporaryFolder();
  const disks = openShellDisks(folder);
  const id = newId(3);
  const failure = disks.attach(id, { ...SIZES, homeBytes: 2 ** 43 });
  await expect(failure).rejects.toMatchObject({
    reason: "node_disk_full",
    message: expect.stringMatching(/^no room for the shell's disk: \d+ bytes are free, it has 8796093022208$/),
  });
  expect(existsSync(join(folder, id, "home.ext4.new"))).toBe(false);
});

test("an id that is none becomes no path", async () => {
  const disks = openShellDisks(temporaryFolder());
  await expect(disks.erase("../other")).rejects.toThrow("invalid shell id");
});

test("a home is its user's in a container with a user namespace, and is not given to another range of users", {
  timeout: 60_000,
}, async () => {
  const disks = openShellDisks(temporaryFolder());
  const id = newId(5);
  const { home } = await disks.attach(id, { ...SIZES, rootId: 1_000_000 });
  expect(execFileSync("debugfs", ["-R", "stat /", home], { encoding: "utf8", stdio: [...SILENT] })).toMatch(
    /User: +1065534 +Group: +1065534/,
  );
  await disks.detach(id);
  await expect(disks.attach(id, SIZES)).rejects.toThrow("belongs to user 1065534");
  await disks.attach(id, { ...SIZES, rootId: 1_000_000 });
  await disks.erase(id);
});
