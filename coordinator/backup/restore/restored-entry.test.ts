import fc from "fast-check";
import { expect, test } from "vitest";
import { afterLostNode } from "../../domain/retry.ts";
import { claim, end, isTerminal, succeed, type Task } from "../../domain/task.ts";
import { aNewService, aTask } from "../../domain/testing/records.ts";
import { decodeRecord, encodeRecord } from "../../store/codec.ts";
import {
  ALL_RECORD_KINDS,
  ARCHIVE_KEY,
  AUTHORITY_KEY,
  bytesKey,
  KEY_ROTATION_KEY,
  META_KEY,
  recordKey,
  SSH_HOST_KEY,
} from "../../store/keys.ts";
import { type RestoreRules, restoredEntry } from "./restored-entry.ts";

const NOW = 1_800_000_000_000;
const RULES: RestoreRules = {
  now: NOW,
  disablesKeys: false,
  lacksMasterKeys: false,
  later: { of: () => null },
  archived: new Set(),
};
const CANCELLED = {
  reason: "cancelled",
  message: "",
  retryable: false,
  attempts: 0,
  exitCode: null,
  logTail: "",
} as const;

const STEPS = {
  claim: (task: Task) => claim(task, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 2_000),
  lose: (task: Task) => afterLostNode(task, 3_000),
  succeed: (task: Task) => succeed(task, { bytes: 2, sha256: "", where: "store" }, 1, 4_000),
  cancel: (task: Task) => end(task, "cancelled", CANCELLED, null, 4_000),
};

/** A task after steps that it can take. */
const tasks = fc.array(fc.constantFrom(...Object.values(STEPS)), { maxLength: 8 }).map((steps) =>
  steps.reduce((task, step) => {
    try {
      return step(task);
    } catch {
      // Not from this phase.
      return task;
    }
  }, aTask(aNewService())),
);

function restored(task: Task, rules = RULES) {
  const key = recordKey("tasks", task.id);
  return restoredEntry({ key, value: encodeRecord(key, "op", task) }, rules);
}

test("leaves no task running, ends none that was open, and changes none that had ended", () => {
  fc.assert(
    fc.property(tasks, (task) => {
      const after = restored(task);
      if (after.kind !== "restored") throw new Error("it was left out");
      const value = decodeRecord(after.value).value as Task;
      if (isTerminal(task.phase) || task.phase.kind === "queued") expect(value).toEqual(task);
      else expect(value).toMatchObject({ phase: { kind: "queued", since: NOW }, attempts: task.attempts });
      expect(after.change).toBe(task.phase.kind === "running" ? "requeued" : null);
    }),
  );
});

test("leaves a task that the archive has to the archive, with its bytes", () => {
  const task = aTask(aNewService());
  const rules = { ...RULES, archived: new Set([task.id]) };
  expect(restored(task, rules)).toEqual({ kind: "left out", why: "archived" });
  for (const of of ["input", "result"] as const) {
    const entry = { key: bytesKey(of, task.id), value: Buffer.from([0]) };
    expect(restoredEntry(entry, rules)).toEqual({ kind: "left out", why: "archived" });
    expect(restoredEntry(entry, RULES)).toEqual({ kind: "restored", value: entry.value, change: null });
  }
});

test("leaves out what lets somebody in once or for a while and an order to upgrade agents, and nothing else", () => {
  const leftOut = (rules: RestoreRules) =>
    ALL_RECORD_KINDS.filter((kind) => {
      const key = recordKey(kind, "x");
      const value = encodeRecord(key, "op", { id: "x", phase: { kind: "queued" }, revokedAt: null });
      return restoredEntry({ key, value }, rules).kind === "left out";
    });
  const letIn = [
    "device-codes",
    "join-tokens",
    "login-links",
    "pool-tokens",
    "sessions",
    "source-grants",
    "terminal-tickets",
  ];
  const voided = ["agent-upgrades", ...letIn];
  expect(leftOut(RULES).sort()).toEqual(voided);
  // Which invitations were used since is not known then.
  expect(leftOut({ ...RULES, disablesKeys: true }).sort()).toEqual([...voided, "invitations"].sort());
});

test("restores what is no record as it is, but the identity", () => {
  const value = Buffer.from("{}");
  for (const key of [ARCHIVE_KEY, AUTHORITY_KEY, KEY_ROTATION_KEY, SSH_HOST_KEY]) {
    expect(restoredEntry({ key, value }, RULES)).toEqual({ kind: "restored", value, change: null });
  }
  expect(restoredEntry({ key: META_KEY, value }, RULES)).toEqual({ kind: "left out", why: "identity" });
});

test("leaves out which master key is needed where that key is lost", () => {
  const entry = { key: KEY_ROTATION_KEY, value: Buffer.from("{}") };
  expect(restoredEntry(entry, { ...RULES, lacksMasterKeys: true })).toEqual({ kind: "left out", why: "voided" });
});

test.each(["{}", "[", '{"op":"by hand","value":{}}'])("brings back %s, which nobody can read, as it was", (text) => {
  const value = Buffer.from(text);
  for (const kind of ["tasks", "access-keys", "services"] as const) {
    const rules = { ...RULES, disablesKeys: true, lacksMasterKeys: true };
    expect(restoredEntry({ key: recordKey(kind, "a"), value }, rules)).toEqual({
      kind: "restored",
      value,
      change: null,
    });
  }
});
