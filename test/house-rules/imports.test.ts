import { describe, expect, test } from "vitest";
import { forbiddenImports, importsOf, undeclaredPackages } from "./imports.ts";
import { sourceFiles } from "./source-files.ts";
import { readWorkspaces } from "./workspaces.ts";

const { folders, declared } = readWorkspaces();
const imports = importsOf(sourceFiles(), folders);

test("the rules looked at the imports of every part", () => {
  for (const part of ["std", "coordinator", "agent", "cli", "clients", "deploy", "test"]) {
    expect(imports.filter(({ from }) => from.startsWith(`${part}/`)).length, part).toBeGreaterThan(5);
  }
});

test("nothing imports what it may not", () => {
  expect(forbiddenImports(imports)).toEqual([]);
});

test("nothing imports a package that its own package.json does not name", () => {
  expect(undeclaredPackages(imports, declared)).toEqual([]);
});

describe("a planted violation is found", () => {
  const planted: readonly [from: string, line: string][] = [
    ["std/ids.ts", 'import { x } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";'],
    ["agent/main.ts", 'import type { Task } from "@elastic/coordinator/domain/task.ts";'],
    ["coordinator/main.ts", 'const agent = await import("../agent/main.ts");'],
    ["cli/main.ts", 'export { x } from "@elastic/std/ids.ts";'],
    ["coordinator/http/server.ts", 'import "../scheduler/scheduler-loop.ts";'],
    ["coordinator/fleet/fleet-server.ts", 'import type { SharedParts } from "../startup/shared-parts.ts";'],
    ["coordinator/fleet/fleet-server.ts", 'import type { X } from "../http/server.ts";'],
    ["coordinator/domain/task.ts", 'import { createHash } from "node:crypto";'],
    ["coordinator/http/server.ts", 'import { memoryKv } from "../store/memory/memory-kv.ts";'],
    ["coordinator/scheduler/decide/dispatch.ts", 'import { randomUUID } from "node:crypto";'],
    ["coordinator/scheduler/decide/dispatch.ts", 'import type { Store } from "../../store/store.ts";'],
    ["coordinator/scheduler/decide/dispatch.ts", 'import { SchedulerView } from "../view/scheduler-view.ts";'],
    ["coordinator/scheduler/decide/dispatch.ts", 'import { Committer } from "../act/committer.ts";'],
    ["coordinator/scheduler/decide/dispatch.ts", 'import { newId } from "@elastic/std/ids.ts";'],
    ["coordinator/scheduler/view/scheduler-view.ts", 'import { Committer } from "../act/committer.ts";'],
    ["coordinator/scheduler/view/scheduler-view.ts", 'import { replace } from "../../store/change.ts";'],
    ["coordinator/fleet/links.ts", 'import type { SchedulerView } from "../scheduler/view/scheduler-view.ts";'],
    ["agent/link/connect.ts", 'import { startEtcd } from "@elastic/test/cluster/etcd.ts";'],
    ["agent/domain/driver.ts", 'import type { Engine } from "../workloads/docker/engine.ts";'],
    ["agent/domain/attempt-key.ts", 'import { createHash } from "node:crypto";'],
    ["agent/domain/build-settings.ts", 'import { z } from "zod";'],
    ["clients/typescript/client.ts", 'import { newId } from "@elastic/std/ids.ts";'],
    ["clients/typescript/client.ts", 'import { createHash } from "node:crypto";'],
    ["deploy/demo/main.ts", 'import { startEtcd } from "@elastic/test/cluster/etcd.ts";'],
  ];
  test.each(planted)("%s: %s", (path, text) => {
    expect(forbiddenImports(importsOf([{ path, text }], folders))).not.toEqual([]);
  });

  test("a package that is not named", () => {
    const found = importsOf([{ path: "agent/main.ts", text: 'import fastify from "fastify";' }], folders);
    expect(undeclaredPackages(found, declared)).toEqual([
      "agent/main.ts imports fastify, which agent/package.json does not name",
    ]);
  });
});

test("a test may import the harness", () => {
  const text = 'import { startEtcd } from "@elastic/test/cluster/etcd.ts";';
  expect(forbiddenImports(importsOf([{ path: "coordinator/store/kv.test.ts", text }], folders))).toEqual([]);
});
