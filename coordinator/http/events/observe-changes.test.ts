import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { beforeEach, expect, test } from "vitest";
import { newAccessKey } from "../../domain/access-key.ts";
import {
  aDelivery,
  anAssignment,
  aReadyService,
  aShell,
  aTask,
  aWebhook,
  aWorkload,
} from "../../domain/testing/records.ts";
import type { TeamChange } from "../../public/team-change.ts";
import { MemoryView } from "../../store/view/view.ts";
import { observeChanges } from "./observe-changes.ts";

const USER = "u";
const TEAMS = ["t1", "t2"];

let view: MemoryView;
let seen: TeamChange[];
let revision: number;

beforeEach(() => {
  view = new MemoryView({ clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
  seen = [];
  revision = 1;
  for (const teamId of TEAMS) {
    put("memberships", `${USER}/${teamId}`, { userId: USER, teamId, role: "owner", createdAt: 0 });
  }
  observeChanges(view, (change) => seen.push(change));
});

function put(kind: Parameters<MemoryView["put"]>[0], id: string, value: object): void {
  view.put(kind, id, value, ++revision);
}

/** Each as `<kind> <id> <state>`, since the last call. */
function changes(): string[] {
  return seen.splice(0).map(({ kind, id, state }) => `${kind} ${id} ${state}`);
}

test("notifies of a task's phases, and of none when it moves to the archive", () => {
  const task = aTask({ id: "s" });
  put("tasks", "1", task);
  view.remove("tasks", "1", ++revision);
  expect(changes()).toEqual(["task 1 queued"]);
});

test("notifies of a service when its workloads change", () => {
  const { service, deployment } = aReadyService();
  put("services", service.id, service);
  const assignment = anAssignment(deployment, "n");
  put("assignments", assignment.id, assignment);
  put("workloads", assignment.id, aWorkload(assignment, { phase: "ready" }));
  view.remove("assignments", assignment.id, ++revision);
  expect(changes()).toEqual(Array.from({ length: 4 }, () => `service ${service.id} Ready`));
});

test("notifies of each kind by its id and state, and of what is removed", () => {
  const shell = aShell();
  const webhook = aWebhook({ id: "s" });
  const delivery = aDelivery(webhook);
  put("shells", "1", shell);
  put("webhooks", "2", webhook);
  put("deliveries", "3", delivery);
  put("teams", "t1", { id: "t1", name: "renamed", createdAt: 0 });
  view.remove("webhooks", "2", ++revision);
  view.remove("memberships", `${USER}/t1`, ++revision);
  expect(changes()).toEqual([
    "shell 1 CREATING",
    "webhook 2 enabled",
    "delivery 3 pending",
    "team t1 null",
    "webhook 2 deleted",
    `member ${USER} deleted`,
  ]);
});

test("notifies of what a service is built from, and of connections to source hosts", () => {
  const connection = { id: "c", teamId: "t1", state: { kind: "active" } };
  put("source-connections", "c", connection);
  put("service-sources", "s", { id: "s", teamId: "t1", connectionId: "c" });
  expect(seen.map(({ serviceId }) => serviceId)).toEqual([null, "s"]);
  put("source-connections", "c", { ...connection, state: { kind: "uninstalled", at: 1 } });
  view.remove("service-sources", "s", ++revision);
  expect(changes()).toEqual([
    "source_connection c active",
    "source s null",
    "source_connection c uninstalled",
    "source s deleted",
  ]);
});

test("notifies every team of a user of changed keys, without naming one, and not of their use", () => {
  const key = newAccessKey({
    id: "secret-id",
    name: "ci",
    userId: USER,
    teamId: null,
    defaultTeamId: "t1",
    scopes: ["admin"],
    secretSha256: "",
    createdAt: 0,
    expiresAt: null,
  });
  put("access-keys", key.id, key);
  expect(seen.map(({ teamId, id }) => [teamId, id])).toEqual(TEAMS.map((teamId) => [teamId, null]));
  changes();
  put("access-keys", key.id, { ...key, lastUsedAt: 5 });
  expect(changes()).toEqual([]);
  put("access-keys", key.id, { ...key, revokedAt: 6 });
  expect(changes()).toEqual(["key null null", "key null null"]);
});
