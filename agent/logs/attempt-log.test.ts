import { expect, test } from "vitest";
import { AttemptLog, type AttemptLogOptions } from "./attempt-log.ts";

function attemptLog(more: Partial<AttemptLogOptions> = {}) {
  const seen = { text: "", dropped: 0, over: 0 };
  const log = new AttemptLog({
    bytesMax: 10,
    append: (data) => {
      seen.text += data.toString();
    },
    hasRoom: () => true,
    onDropped: (bytes) => {
      seen.dropped += bytes;
    },
    onOver: () => {
      seen.over += 1;
    },
    ...more,
  });
  return { seen, log, write: (text: string) => log.onBytes(Buffer.from(text)) };
}

test("up to its limit a log is what was written", () => {
  const { seen, write } = attemptLog();
  write("12345");
  write("67890");
  expect(seen).toEqual({ text: "1234567890", dropped: 0, over: 0 });
});

test("cuts a log at its limit, with a line that says so, and counts what follows", () => {
  const { seen, write } = attemptLog();
  write("12345");
  write("6789\nbeyond");
  write("more");
  expect(seen.text).toBe("123456789\n… log cut at 10 bytes: the rest of it is dropped\n");
  expect(seen.dropped).toBe("beyondmore".length);
});

test("a cut within a line ends the line first", () => {
  const { seen, write } = attemptLog();
  write("abcdefghijk");
  expect(seen.text).toBe("abcdefghij\n… log cut at 10 bytes: the rest of it is dropped\n");
});

test("where the node has no room it is cut before its limit", () => {
  let room = true;
  const { seen, write } = attemptLog({ hasRoom: () => room });
  write("one\n");
  room = false;
  write("two\n");
  room = true;
  write("three\n");
  expect(seen.text).toBe("one\n… log cut at 4 bytes: the node had no room for more of it\n");
  expect(seen.dropped).toBe(10);
});

test("that others may have written into it is said once, where it begins to be so", () => {
  const { seen, log, write } = attemptLog();
  write("mine");
  log.onShared();
  log.onShared();
  write("ours\n");
  const [first, note, rest, ...more] = seen.text.split("\n");
  expect([first, rest, more]).toEqual(["mine", "ours", [""]]);
  expect(note).toMatch(/^… other tasks ran in this prover at the same time/);
});

test("stores nothing of a prover that writes nothing, whoever else runs in it", () => {
  const { seen, log } = attemptLog();
  log.onShared();
  log.onOver();
  expect(seen).toEqual({ text: "", dropped: 0, over: 1 });
});

test("uses the tail of a failure for a log that nobody received, and for no other", () => {
  const unreceived = attemptLog();
  unreceived.log.takeTail("last lines");
  expect(unreceived.seen.text).toBe("last lines");
  const received = attemptLog();
  received.write("all of it");
  received.log.takeTail("of it");
  expect(received.seen.text).toBe("all of it");
});
