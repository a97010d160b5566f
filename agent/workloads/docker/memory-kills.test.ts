import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type KernelFiles, memoryKillsOf, memoryKillsOfMachine } from "./memory-kills.ts";

let folder: string;
let kernel: KernelFiles;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "memory-kills-"));
  kernel = { cgroups: join(folder, "cgroup"), processes: join(folder, "proc") };
});
afterEach(() => rmSync(folder, { recursive: true }));

function put(file: string, text: string): void {
  const path = join(folder, file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

test("the count of the first version's memory group", () => {
  put("proc/7/cgroup", "12:pids:/docker/abc\n5:cpu,memory:/docker/abc\n0::/\n");
  put("cgroup/memory/docker/abc/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n");
  const kills = memoryKillsOf(7, kernel);
  expect(kills()).toBe(2);
  put("cgroup/memory/docker/abc/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 3\n");
  expect(kills()).toBe(3);
});

test("the count of the second version's group", () => {
  put("proc/7/cgroup", "0::/system.slice/docker-abc.scope\n");
  put("cgroup/system.slice/docker-abc.scope/memory.events", "low 0\nmax 9\noom 4\noom_kill 1\noom_group_kill 0\n");
  expect(memoryKillsOf(7, kernel)()).toBe(1);
});

test("where nothing can be read nothing was killed, as far as is known", () => {
  expect(memoryKillsOf(7, kernel)()).toBe(0);
  put("proc/7/cgroup", "5:memory:/gone\n");
  const kills = memoryKillsOf(7, kernel);
  expect(kills()).toBe(0);
});

test("a group that goes with its container counts no further", () => {
  put("proc/7/cgroup", "5:memory:/docker/abc\n");
  put("cgroup/memory/docker/abc/memory.oom_control", "oom_kill 1\n");
  const kills = memoryKillsOf(7, kernel);
  rmSync(join(folder, "cgroup"), { recursive: true });
  expect(kills()).toBe(0);
});

test("the count of the whole machine, where its kernel has one", () => {
  expect(memoryKillsOfMachine(kernel)).toBe(0);
  put("proc/vmstat", "pgmajfault 3\noom_kill 259\ndrop_pagecache 0\n");
  expect(memoryKillsOfMachine(kernel)).toBe(259);
});
