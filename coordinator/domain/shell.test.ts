import { describe, expect, test } from "vitest";
import {
  comingUp,
  defaultShellName,
  deleted,
  endOfRun,
  erased,
  failed,
  isWanted,
  placed,
  ready,
  SHELL_USE_WRITTEN_EVERY_MS,
  started,
  stopped,
  used,
} from "./shell.ts";
import { aShell } from "./testing/records.ts";

const MINUTE = 60_000;

describe("a shell", () => {
  test("comes up, stops and comes up again where its home is", () => {
    const up = ready(placed(aShell(), "n1"), 5);
    expect(up.state).toEqual({ kind: "ready", since: 5 });
    const down = stopped(up, "user", 7);
    expect(down.state).toEqual({ kind: "stopped", since: 7, cause: "user" });
    const again = started(down, 9);
    expect([again.state.kind, again.nodeId, again.runSince]).toEqual(["creating", "n1", 9]);
  });

  test("that is ready and loses its container comes up again, since then", () => {
    const waiting = comingUp(ready(aShell(), 5), "its node is away", 8);
    expect(waiting.state).toEqual({ kind: "creating", since: 8, waitingFor: "its node is away" });
    expect(comingUp(waiting, null, 9).state).toEqual({ kind: "creating", since: 8, waitingFor: null });
  });

  test("that failed says why, and can be started again", () => {
    const broken = failed(aShell(), "image_unavailable", "no such image", 3);
    expect(isWanted(broken)).toBe(false);
    expect(started(broken, 4).state.kind).toBe("creating");
  });

  test("is stopped, started and deleted twice as once", () => {
    const down = stopped(aShell(), "user", 1);
    expect(stopped(down, "idle", 2)).toBe(down);
    const up = started(down, 3);
    expect(started(up, 4)).toBe(up);
    const gone = deleted(up, 5);
    expect(deleted(gone, 6)).toBe(gone);
  });

  test("that is deleted does nothing more, until its home is erased", () => {
    const gone = deleted(placed(aShell(), "n1"), 1);
    for (const act of [() => started(gone, 2), () => stopped(gone, "user", 2), () => ready(gone, 2)]) {
      expect(act).toThrow("is deleted");
    }
    expect(erased(gone).nodeId).toBeNull();
    expect(() => erased(aShell())).toThrow("is not deleted");
  });

  test("has a name made of its id where none is given", () => {
    expect(defaultShellName("0123456789abcdef0123456789abcdef")).toBe("shell-89abcdef");
  });
});

describe("the end of a run", () => {
  const shell = aShell({ longestLifeMs: 10 * MINUTE, idleStopMs: 2 * MINUTE });

  test("is the longest life while it comes up, and while it is used", () => {
    expect(endOfRun(shell)).toEqual({ at: 10 * MINUTE, cause: "expired" });
    const inUse = { ...ready(shell, 0), usedAt: 9 * MINUTE };
    expect(endOfRun(inUse)).toEqual({ at: 10 * MINUTE, cause: "expired" });
  });

  test("is the idle stop after the last use, or after it became ready", () => {
    expect(endOfRun(ready(shell, MINUTE))).toEqual({ at: 4 * MINUTE, cause: "idle" });
    expect(endOfRun({ ...ready(shell, MINUTE), usedAt: 4 * MINUTE })).toEqual({ at: 7 * MINUTE, cause: "idle" });
    expect(endOfRun(ready({ ...shell, idleStopMs: null }, 0))?.cause).toBe("expired");
  });

  test("comes after no shorter idleness than was requested, though not every use is written", () => {
    const inUse = ready({ ...shell, longestLifeMs: 60 * MINUTE, idleStopMs: 5 * MINUTE }, 0);
    const unwritten = SHELL_USE_WRITTEN_EVERY_MS - 1;
    expect(used(inUse, unwritten)).toBeNull();
    expect(endOfRun(inUse)?.at).toBeGreaterThanOrEqual(unwritten + 5 * MINUTE);
  });

  test("is none of a shell that does not run", () => {
    expect(endOfRun(stopped(shell, "user", 1))).toBeNull();
  });

  test("moves with use, which is written once a minute", () => {
    expect(used(shell, SHELL_USE_WRITTEN_EVERY_MS - 1)).toBeNull();
    expect(used(shell, SHELL_USE_WRITTEN_EVERY_MS)?.usedAt).toBe(SHELL_USE_WRITTEN_EVERY_MS);
    expect(used(stopped(shell, "user", 1), 10 * MINUTE)).toBeNull();
  });
});
