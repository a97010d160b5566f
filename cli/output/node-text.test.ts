import { expect, test } from "vitest";
import type { NodeRecord } from "../api/records.ts";
import { nodeLines, nodeText } from "./node-text.ts";

const NODE: NodeRecord = {
  node_id: "gpu-7",
  state: "DRAINING",
  since: "2026-01-01T00:00:00",
  drain: null,
  quarantine: {
    since: "2026-01-01T00:00:00",
    reason: "its agent sent too much",
    last_refused: "2026-01-01T00:00:00",
    ends: "2026-01-01T01:00:00",
  },
  hostname: "host",
  agent_version: "0.1.0",
  disk_pressure: null,
  pool: null,
  machine: null,
  labels: {},
  slots: 1,
  score: null,
  gpu_types: [],
  running_attempts: 0,
  workloads: 0,
  shells: 0,
  last_heartbeat: null,
  why_unheard: null,
  certificate_ends: null,
};

test("shows of a quarantined node that it is, why, and what ends it", () => {
  expect(nodeLines([NODE])).toContain("DRAINING (quarantined)");
  expect(nodeText(NODE)).toContain(
    "quarantine: since 2026-01-01T00:00:00, until 2026-01-01T01:00:00 or: elastic node resume gpu-7\n  its agent sent too much",
  );
});

test("shows no quarantine of others, nor of a coordinator that does not know of any", () => {
  const { quarantine: _, ...earlier } = NODE;
  for (const node of [{ ...NODE, quarantine: null }, earlier as NodeRecord]) {
    expect(nodeLines([node])).not.toContain("quarantined");
    expect(nodeText(node)).not.toContain("quarantine");
  }
});
