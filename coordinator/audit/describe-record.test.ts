import { expect, test } from "vitest";
import type { Pool } from "../domain/pool.ts";
import type { Team } from "../domain/team.ts";
import { describeRecord } from "./describe-record.ts";

const TEAM: Team = { id: "t", name: "team", createdAt: 0 };
const OFFER: Pool["offer"] = {
  gpuType: null,
  gpuCount: 0,
  gpuMemoryBytes: 0,
  slots: 1,
  cpuCores: 1,
  memoryBytes: 1,
  labels: {},
  containers: false,
  builtinProvers: [],
  shells: false,
};
const POOL: Pool = {
  id: "p",
  createdAt: 0,
  min: 0,
  max: 1,
  warmSpare: 0,
  cooldownMs: 1000,
  bootMs: 1000,
  costPerHour: 1,
  budgetPerHour: null,
  budgetPerDay: null,
  offer: OFFER,
  driver: { kind: "command", name: "cloud" },
  stopped: null,
  resumedAt: null,
};
const ofPool = (more: Partial<Pool>) => ["pools", POOL, { ...POOL, ...more }] as const;
const ofOffer = (more: Partial<Pool["offer"]>) => ofPool({ offer: { ...OFFER, ...more } });

test.each([
  ["teams", TEAM, { ...TEAM, name: "other" }],
  ["teams", TEAM, { ...TEAM, origins: ["https://app.example"] }],
  ofPool({ min: 1 }),
  ofPool({ max: 2 }),
  ofPool({ warmSpare: 1 }),
  ofPool({ cooldownMs: 2000 }),
  ofPool({ bootMs: 2000 }),
  ofPool({ costPerHour: 2 }),
  ofPool({ budgetPerHour: 1 }),
  ofPool({ budgetPerDay: 1 }),
  ofPool({ driver: { kind: "command", name: "other" } }),
  ofOffer({ gpuType: "H100" }),
  ofOffer({ gpuCount: 1 }),
  ofOffer({ gpuMemoryBytes: 1 }),
  ofOffer({ slots: 2 }),
  ofOffer({ cpuCores: 2 }),
  ofOffer({ memoryBytes: 2 }),
  ofOffer({ labels: { zone: "a" } }),
  ofOffer({ containers: true }),
  ofOffer({ builtinProvers: ["noop"] }),
  ofOffer({ shells: true }),
] as const)("shows each change that somebody may make of a record of %s", (kind, before, after) => {
  expect(describeRecord(kind, after)?.facts).not.toEqual(describeRecord(kind, before)?.facts);
});
