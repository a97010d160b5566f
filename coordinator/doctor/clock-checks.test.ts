import { expect, test } from "vitest";
import type { ClockPublication } from "../clocks/clock-publication.ts";
import { checkClocks } from "./clock-checks.ts";

const RIGHT: ClockPublication = {
  id: "one",
  wallMs: 0,
  aheadMs: 0,
  sentMs: 0,
  echoes: {},
  standing: "agrees",
  offsetMs: 3,
  known: 4,
  agreeing: 3,
  isCandidate: true,
};

test("shows the clock of each coordinator, and warns of one that is off", () => {
  const off: ClockPublication = { ...RIGHT, id: "two", standing: "off", offsetMs: -172_800_000 };
  const alone: ClockPublication = { ...RIGHT, id: "three", standing: "alone", known: 1, agreeing: 1 };
  const checks = checkClocks([RIGHT, off, alone], (id) => (id === "one" ? "10.0.0.1:7000" : null));
  expect(checks).toEqual([
    { name: "clocks", level: "ok", finding: "coordinator 10.0.0.1:7000: agrees, as 3 of 4 clocks do", remedy: "" },
    expect.objectContaining({
      level: "warn",
      finding: expect.stringContaining("coordinator two: the clock of this machine is 172800.0 s behind most of the 4"),
    }),
    expect.objectContaining({ level: "ok", finding: "coordinator three: no other clock is known" }),
  ]);
});
