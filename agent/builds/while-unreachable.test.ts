import { expect, test } from "vitest";
import { FileUnavailableError } from "../volumes/fetch-file.ts";
import { whileUnreachable } from "./while-unreachable.ts";

const NEVER = new AbortController().signal;
const QUICK = { patienceMs: 60_000, retryMs: 1 };

function failing(times: number, error: Error) {
  let calls = 0;
  const work = async () => {
    calls += 1;
    if (calls <= times) throw error;
    return calls;
  };
  return { work, calls: () => calls };
}

test("repeats what failed until it succeeds", async () => {
  expect(await whileUnreachable(NEVER, failing(3, new Error("no coordinator responds")).work, QUICK)).toBe(4);
});

test("gives up at the end of its patience, with the last error", async () => {
  const { work } = failing(1_000, new Error("no coordinator responds"));
  await expect(whileUnreachable(NEVER, work, { patienceMs: 20, retryMs: 1 })).rejects.toThrow(
    "no coordinator responds",
  );
});

test.each([
  ["a coordinator refused", new FileUnavailableError("it is gone")],
  ["has no room", Object.assign(new Error("full"), { code: "ENOSPC" })],
])("does not repeat what %s", async (_, error) => {
  const { work, calls } = failing(5, error);
  await expect(whileUnreachable(NEVER, work, QUICK)).rejects.toBe(error);
  expect(calls()).toBe(1);
});

test("ends with the build", async () => {
  const stop = new AbortController();
  const { work } = failing(1_000, new Error("no coordinator responds"));
  const waiting = whileUnreachable(stop.signal, work, QUICK);
  stop.abort(new Error("cancelled"));
  await expect(waiting).rejects.toThrow(/cancelled|aborted/);
});
