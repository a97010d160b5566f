import { describe, expect, test } from "vitest";
import { folderCycles } from "./import-cycles.ts";
import { type Import, importsOf } from "./imports.ts";
import { sourceFiles } from "./source-files.ts";
import { readWorkspaces } from "./workspaces.ts";

const imports = importsOf(sourceFiles(), readWorkspaces().folders);

test.each(["agent", "bench", "cli", "clients/typescript", "console", "coordinator"])(
  "no folders of %s import each other",
  (root) => {
    expect(folderCycles(imports, root)).toEqual([]);
  },
);

describe("a planted cycle", () => {
  function planted(...pairs: readonly [from: string, to: string][]): readonly Import[] {
    return pairs.map(([from, to]) => ({ from, to }));
  }

  test("is found between two folders", () => {
    const found = folderCycles(planted(["a/b/x.ts", "a/c/y.ts"], ["a/c/z.ts", "a/b/w.ts"]), "a");
    expect(found).toEqual(["a/b -> a/c -> a/b"]);
  });

  test("is found by way of a third folder, and reported once", () => {
    const found = folderCycles(
      planted(["a/e/x.ts", "a/b/x.ts"], ["a/b/x.ts", "a/c/x.ts"], ["a/c/x.ts", "a/d/x.ts"], ["a/d/x.ts", "a/b/x.ts"]),
      "a",
    );
    expect(found).toEqual(["a/b -> a/c -> a/d -> a/b"]);
  });

  test("is found between a folder and one within it", () => {
    const found = folderCycles(planted(["a/main.ts", "a/b/x.ts"], ["a/b/x.ts", "a/config.ts"]), "a");
    expect(found).toEqual(["a -> a/b -> a"]);
  });

  test("is found in the agent's imports with one import more", () => {
    const text = 'import type { SpeedKeeper } from "../node-speed/speed-keeper.ts";';
    const more = importsOf([{ path: "agent/gpus/gpu-keeper.ts", text }], new Map());
    expect(folderCycles([...imports, ...more], "agent")).toEqual([
      "agent/accel-library -> agent/gpus -> agent/node-speed -> agent/accel-library",
    ]);
  });

  test("is found in the coordinator's imports where an endpoint imports what registers it", () => {
    const text = 'import type { HttpDeps } from "../http-deps.ts";';
    const more = importsOf([{ path: "coordinator/http/fleet/get-fleet.ts", text }], new Map());
    expect(folderCycles([...imports, ...more], "coordinator")).toEqual([
      "coordinator/http -> coordinator/http/fleet -> coordinator/http",
    ]);
  });

  test("is none where only a test imports back", () => {
    const found = folderCycles(
      planted(["a/b/x.ts", "a/c/y.ts"], ["a/c/y.test.ts", "a/b/x.ts"], ["a/c/testing/z.ts", "a/b/x.ts"]),
      "a",
    );
    expect(found).toEqual([]);
  });

  test("is none within one folder, or outside of the root", () => {
    const found = folderCycles(
      planted(["a/b/x.ts", "a/b/y.ts"], ["a/b/y.ts", "a/b/x.ts"], ["d/b/x.ts", "d/c/x.ts"], ["d/c/x.ts", "d/b/x.ts"]),
      "a",
    );
    expect(found).toEqual([]);
  });
});
