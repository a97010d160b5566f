import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AgentUpgrade } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { actOnOrders } from "./act-on-order.ts";

let stateDir: string;
let started: (readonly string[])[];
beforeEach(() => {
  stateDir = mkdtempSync(join(tmpdir(), "orders-"));
  started = [];
});
afterEach(() => rmSync(stateDir, { recursive: true }));

/** An agent that starts, as of a version. */
function agent(version = "1.0.0", command: string | null = "upgrade-it", rollbackTarget: string | null = null) {
  return actOnOrders({
    stateDir,
    version,
    command,
    isUnderSystemd: false,
    rollbackTarget: () => rollbackTarget,
    start: (program, args) => void started.push([program, ...args]),
    log: createLog({ name: "test", level: "silent" }),
  });
}

const order = (given: Partial<AgentUpgrade> = {}): AgentUpgrade =>
  AgentUpgrade.fromPartial({ orderId: "1", version: "1.1.0", enrollmentAddress: "control.example:8444", ...given });

test("acts on an order once, also after a restart, and on the next one", () => {
  const first = agent();
  first(undefined);
  first(order());
  first(order());
  expect(started).toEqual([
    ["/bin/sh", "-c", 'upgrade-it "$@"', "sh", "--version", "1.1.0", "--coordinator", "control.example:8444"],
  ]);
  agent()(order());
  expect(started).toHaveLength(1);
  agent("1.0.0", "upgrade-it", "0.9.0")(order({ orderId: "2", version: "0.9.0", rollback: true }));
  expect(started[1]?.slice(4)).toEqual(["--version", "0.9.0", "--rollback", "--coordinator", "control.example:8444"]);
});

test("does nothing where it has the version already, or nothing here could upgrade it", () => {
  agent("1.1.0")(order());
  agent("1.0.0", null)(order());
  expect(started).toEqual([]);
});

test("passes on neither a version nor an address that could be an option or a command", () => {
  agent()(order({ version: "--rollback" }));
  agent()(order({ orderId: "2", version: "1.1.0; reboot" }));
  expect(started).toEqual([]);
  agent()(order({ orderId: "3", enrollmentAddress: "$(reboot)" }));
  expect(started).toEqual([["/bin/sh", "-c", 'upgrade-it "$@"', "sh", "--version", "1.1.0"]]);
});

test("returns by an order to no older version but the one that the machine ran before, whatever the order says", () => {
  const upgraded = (target: string | null) => agent("2.0.0", "upgrade-it", target);
  upgraded("1.0.0")(order({ orderId: "1", version: "0.1.0", rollback: true }));
  upgraded("1.0.0")(order({ orderId: "2", version: "1.0.1" }));
  upgraded(null)(order({ orderId: "3", version: "1.0.0", rollback: true }));
  expect(started).toEqual([]);
  upgraded("1.0.0")(order({ orderId: "4", version: "1.0.0", rollback: true }));
  // A newer one is an upgrade, which the release's own bounds apply to.
  upgraded("1.0.0")(order({ orderId: "5", version: "2.1.0", rollback: true }));
  expect(started.map((one) => one.slice(4, 7))).toEqual([
    ["--version", "1.0.0", "--rollback"],
    ["--version", "2.1.0", "--coordinator"],
  ]);
});
