import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { newId } from "@elastic/std/ids.ts";
import { afterEach, expect, test } from "vitest";
import { openBuildsGroup, removeBuildsGroup } from "./builds-group.ts";

const group = `/elastic-builds-test-${newId(Date.now())}`;
afterEach(() => removeBuildsGroup(group));

const IS_VERSION_1 = existsSync("/sys/fs/cgroup/cpu/cpu.shares");
const FOLDER = join(IS_VERSION_1 ? "/sys/fs/cgroup/cpu" : "/sys/fs/cgroup", group);
const read = (file: string) => readFileSync(join(FOLDER, file), "utf8").trim();
const weight = () => read(IS_VERSION_1 ? "cpu.shares" : "cpu.weight");

test("interrupts builds for whatever else wants a processor", async () => {
  await openBuildsGroup(group, "idle");
  expect(read("cpu.idle")).toBe("1");
});

test("gives builds the weight that is set, before and after they were idle", async () => {
  await openBuildsGroup(group, 25);
  expect(weight()).toBe(IS_VERSION_1 ? "256" : "25");
  await openBuildsGroup(group, "idle");
  await openBuildsGroup(group, 50);
  expect([read("cpu.idle"), weight()]).toEqual(["0", IS_VERSION_1 ? "512" : "50"]);
});

test("leaves no group", async () => {
  await openBuildsGroup(group, "idle");
  await removeBuildsGroup(group);
  expect(existsSync(FOLDER)).toBe(false);
});

test("waits for the group of a sandbox whose processes still end", async () => {
  await openBuildsGroup(group, "idle");
  const sandbox = join(FOLDER, "sandbox");
  mkdirSync(sandbox);
  const removed = removeBuildsGroup(group).then(() => "removed");
  // By the end of these it was tried.
  const meanwhile = async () => {
    for (let reads = 0; reads < 200; reads++) await readdir(FOLDER);
    return "waits";
  };
  expect(await Promise.race([removed, meanwhile()])).toBe("waits");
  rmdirSync(sandbox);
  await removed;
  expect(existsSync(FOLDER)).toBe(false);
});
