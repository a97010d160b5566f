import { expect, test } from "vitest";
import { rowsOf } from "./rows.ts";

test("compares with plain sshd, and starts of tasks with those without the load", () => {
  const rows = rowsOf({
    keys: { ours: [1, 2, 3, 20], direct: [1, 1, 1, 5], plain: [1, 1, 1, 10] },
    in: { ours: [100, 50, 60], direct: [90, 30, 60], plain: [120, 120, 120] },
    out: { ours: [90], direct: [30], plain: [45] },
    copiedMebibytes: 1024,
    atOnce: { ours: [2], direct: [8], plain: [4], sessions: 50 },
    stopped: { ours: [3, 12], direct: [8, 48], plain: [24, 6], readers: 4 },
    starts: {
      perSecond: 100,
      alone: [[1, 4]],
      together: [[2, 16]],
      direct: [[1, 5]],
      apart: [[2, 8]],
      plain: [[2, 8]],
    },
  });
  expect(rows.map(({ name, ours, peer, ratio }) => [name, ours, peer, ratio])).toEqual([
    ["key to echo, p50", 2, 1, 0.5],
    ["key to echo, p95", 20, 10, 0.5],
    ["copy in", 60, 120, 0.5],
    ["copy out", 90, 45, 2],
    ["sessions at once, all responding", 2, 4, 2],
    ["held for readers that stopped", 12, 24, 2],
    ["key to echo, p50, sshd in the shell", 1, 1, 1],
    ["key to echo, p95, sshd in the shell", 5, 10, 2],
    ["copy in, sshd in the shell", 60, 120, 0.5],
    ["copy out, sshd in the shell", 30, 45, 0.6667],
    ["sessions at once, all responding, sshd in the shell", 8, 4, 0.5],
    ["held for readers that stopped, sshd in the shell", 48, 24, 0.5],
    ["create to start, p50, copies through its coordinator", 2, 1, 0.5],
    ["create to start, p99, copies through its coordinator", 16, 4, 0.25],
    ["create to start, p50, copies through its coordinator", 2, 2, 1],
    ["create to start, p99, copies through its coordinator", 16, 8, 0.5],
    ["create to start, p50, copies through an sshd in the shell", 1, 1, 1],
    ["create to start, p99, copies through an sshd in the shell", 5, 4, 0.8],
    ["create to start, p50, copies through an sshd in the shell", 1, 2, 2],
    ["create to start, p99, copies through an sshd in the shell", 5, 8, 1.6],
    ["create to start, p50, copies through a gateway apart", 2, 2, 1],
    ["create to start, p99, copies through a gateway apart", 8, 8, 1],
  ]);
});
