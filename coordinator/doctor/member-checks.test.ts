import { expect, test } from "vitest";
import { checkMember } from "./member-checks.ts";

const NOW_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;
const MIB = 1024 * 1024;
const WELL = {
  version: "3.6.1",
  isLeader: true,
  hasLeader: true,
  sizeBytes: MIB,
  quotaBytes: 100 * MIB,
  revision: 2000,
  compactedRevision: 1000,
  clockMs: NOW_MS - 900,
  certificateEnds: new Date(NOW_MS + 30 * DAY_MS),
};

function problems(change: Partial<typeof WELL>) {
  return checkMember("https://a:1", { ...WELL, ...change }, NOW_MS).filter(({ level }) => level !== "ok");
}

test("passes a member that is well, and lists what it reports", () => {
  expect(problems({})).toEqual([]);
  expect(checkMember("https://a:1", WELL, NOW_MS).map(({ finding }) => finding)).toEqual([
    "https://a:1 responds: 3.6.1, leader",
    "https://a:1: 1.0 of 100.0 MiB",
    "https://a:1: 1000 revisions since the last compaction",
    "as that of https://a:1, to the second",
    "certificate of https://a:1: for another 30 days",
  ]);
});

test("names what is wrong with a member, and what to do", () => {
  expect(problems({ hasLeader: false })).toMatchObject([{ name: "etcd", level: "fail" }]);
  expect(problems({ version: "3.4.23" })).toMatchObject([{ name: "etcd", level: "warn" }]);
  expect(problems({ sizeBytes: 81 * MIB })).toMatchObject([{ name: "size", level: "warn" }]);
  expect(problems({ revision: 9_000_000 })).toMatchObject([{ name: "compaction", level: "warn" }]);
  expect(problems({ clockMs: NOW_MS - 60_000 })).toMatchObject([
    { name: "clock", finding: expect.stringMatching(/^60 s/) },
  ]);
  // The header has whole seconds: three seconds off are two in it at least.
  for (const clockMs of [NOW_MS - 3000, NOW_MS - 3999, NOW_MS + 2001, NOW_MS + 3000]) {
    expect(problems({ clockMs })).toMatchObject([{ name: "clock", level: "warn" }]);
  }
  for (const clockMs of [NOW_MS - 2500, NOW_MS, NOW_MS + 1500]) expect(problems({ clockMs })).toEqual([]);
  expect(problems({ certificateEnds: new Date(NOW_MS + DAY_MS) })).toMatchObject([
    { name: "certificate", level: "warn", remedy: "renew it soon" },
  ]);
  expect(problems({ certificateEnds: new Date(NOW_MS - DAY_MS) })).toMatchObject([
    { name: "certificate", level: "fail" },
  ]);
});
