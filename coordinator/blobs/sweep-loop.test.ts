import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { claim, succeed, type Task } from "../domain/task.ts";
import { aBatch, aTask } from "../domain/testing/records.ts";
import type { FindNamed, Swept } from "./blob-store.ts";
import { sweep } from "./sweep-loop.ts";

const log = createLog({ name: "test", level: "silent" });

test("what a task of the store or of the archive, a batch under way, an upload or a volume names stays; what another team or nobody names does not", async () => {
  const open: Task = { ...aTask({ id: "s" }), teamId: "t", input: { bytes: 5000, sha256: "in", where: "blob" } };
  const running = claim(open, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 1);
  const ended = succeed(running, { bytes: 5000, sha256: "out", where: "blob" }, 1, 2);
  const named: string[][] = [];
  const sweeps: Swept[] = [];
  const blobs = {
    sweep: async (findNamed: FindNamed, olderThanMs: number) => {
      expect(olderThanMs).toBe(3_600_000);
      const all = ["in", "out", "up", "body", "created", "source", "canary", "file", "old", "else"];
      for (const teamId of ["t", "u"]) named.push([...(await findNamed(teamId, all))]);
      return { blobs: 2, bytes: 9_000 };
    },
  };
  await sweep({
    blobs,
    log,
    tasks: async function* () {
      yield ended;
    },
    uploads: async function* () {
      yield { teamId: "t", sha256: "up" };
    },
    batches: async function* () {
      yield { ...aBatch({ id: "s" }), teamId: "t", body: { bytes: 9, sha256: "body" } };
      yield { ...aBatch({ id: "s" }), teamId: "t", body: { bytes: 9, sha256: "created" }, count: 2, created: 2 };
    },
    sources: async function* () {
      yield { teamId: "t", sha256: "source" };
    },
    canaries: () => [{ teamId: "t", sha256: "canary" }],
    volumeFiles: async function* () {
      yield { teamId: "t", sha256: "file" };
    },
    archived: async (blobs) => blobs.filter(({ teamId, sha256 }) => teamId === "t" && sha256 === "old"),
    swept: (swept) => void sweeps.push(swept),
  });
  expect(named).toEqual([["in", "out", "up", "body", "source", "canary", "file", "old"], []]);
  expect(sweeps).toEqual([{ blobs: 2, bytes: 9_000 }]);
});
