import { expect, test } from "vitest";
import type { ChildMessage } from "../kernels/zkaccel/messages.ts";
import { parseChildMessage } from "./child-messages.ts";

const INFO = { backend: "cpu", isa: "adx", threads: 2, name: "a processor" };
const SPEED = { msmPointsPerSecond: 1e6, nttElementsPerSecond: 2e6 };

test("all that is said is read as it was said", () => {
  const all: readonly ChildMessage[] = [
    { kind: "up" },
    { kind: "doing", what: "transforms" },
    { kind: "info", info: INFO },
    { kind: "tested", failure: null },
    { kind: "tested", failure: "wrong" },
    { kind: "measured", info: INFO, speed: SPEED },
    { kind: "failed", why: "no device" },
  ];
  for (const said of all) expect(parseChildMessage(JSON.stringify(said))).toEqual(said);
});

test("a line of any other shape is nothing that was said", () => {
  const others: readonly unknown[] = [
    null,
    7,
    "up",
    [],
    {},
    { kind: "ended" },
    { kind: "doing" },
    { kind: "info", info: null },
    { kind: "info", info: { ...INFO, threads: "2" } },
    { kind: "info", info: { ...INFO, name: undefined } },
    { kind: "tested" },
    { kind: "measured", info: INFO },
    { kind: "measured", info: INFO, speed: { ...SPEED, nttElementsPerSecond: null } },
    { kind: "measured", speed: SPEED },
    { kind: "failed", why: 1 },
  ];
  for (const other of others) expect(parseChildMessage(JSON.stringify(other))).toBeNull();
  for (const line of ["", "CUDA is up", '{"kind":"up"']) expect(parseChildMessage(line)).toBeNull();
});
