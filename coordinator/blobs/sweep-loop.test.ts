import { createLog } from "@elastic/std/log.ts";
import { expect, test } from "vitest";
import { claim, succeed, type Task } from "../domain/task.ts";
import { aTask } from "../domain/testing/records.ts";
import { sweep } from "./sweep-loop.ts";

const log = createLog({ name: "test", level: "silent" });

test("inputs and results that a task names are live, and so are uploads; those of other teams and of nobody are not", async () => {
  const open: Task = { ...aTask({ id: "s" }), teamId: "t", input: { bytes: 5000, sha256: "in", where: "blob" } };
  const running = claim(open, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 1);
  const ended = succeed(running, { bytes: 5000, sha256: "out", where: "blob" }, 1, 2);
  let judged: boolean[] = [];
  const blobs = {
    sweep: async (live: (teamId: string, sha256: string) => boolean, olderThanMs: number) => {
      expect(olderThanMs).toBe(3_600_000);
      judged = [
        live("t", "in"),
        live("t", "out"),
        live("t", "up"),
        live("t", "file"),
        live("u", "in"),
        live("t", "else"),
      ];
      return 0;
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
    volumeFiles: async function* () {
      yield { teamId: "t", sha256: "file" };
    },
  });
  expect(judged).toEqual([true, true, true, true, false, false]);
});
