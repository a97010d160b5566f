import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { authenticate } from "../auth/authenticate.ts";
import { hasScope, teamsOf } from "../auth/authorize.ts";
import { USER_SCOPES } from "../domain/access-key.ts";
import { create } from "../store/change.ts";
import { memoryKv } from "../store/memory/memory-kv.ts";
import { openStore } from "../store/open/open-store.ts";
import type { Store } from "../store/store.ts";
import { addKey } from "./add-key.ts";
import { addTeam } from "./add-team.ts";
import { addUser } from "./add-user.ts";
import { findTeam, findUser } from "./find-account.ts";

let store: Store;

beforeEach(async () => {
  store = await openStore({ kv: memoryKv(), clock: systemClock, log: createLog({ name: "test", level: "silent" }) });
});
afterEach(() => store.close());

function keyOf(text: string) {
  const found = authenticate(store.view, text, Date.now());
  if (found.kind !== "key") throw new Error(found.kind);
  return found.key;
}

test("a new user's first key opens what users need in their team, and nothing of those who run the service", async () => {
  const team = await addTeam(store, "studio", systemClock);
  const { userId, key } = await addUser(store, { name: "grace", team, role: "owner" }, systemClock);
  expect(teamsOf(store.view, keyOf(key))).toMatchObject([{ userId, teamId: team.id, role: "owner" }]);
  expect(hasScope(keyOf(key), "services")).toBe(true);
  for (const scope of ["nodes", "admin"] as const) expect(hasScope(keyOf(key), scope)).toBe(false);
});

test("a key of an operator is of the user and for the team that are named", async () => {
  const [one, two] = [await addTeam(store, "one", systemClock), await addTeam(store, "two", systemClock)];
  await addUser(store, { name: "grace", team: one, role: "member" }, systemClock);
  const user = findUser(store.view, "grace");
  const of = { user, name: "again", scopes: USER_SCOPES, expiresInSeconds: 60 };
  const bound = await addKey(store, { ...of, team: one }, systemClock);
  expect(keyOf(bound.key)).toMatchObject({ userId: user.id, teamId: one.id, defaultTeamId: one.id });
  const free = await addKey(store, { ...of, team: null }, systemClock);
  expect(keyOf(free.key)).toMatchObject({ teamId: null, defaultTeamId: one.id, expiresAt: expect.any(Number) });
  await expect(addKey(store, { ...of, team: two }, systemClock)).rejects.toThrow("grace is not in the team two");
});

test("a name that nobody or more than one has names nobody, and says what to do", async () => {
  const team = await addTeam(store, "studio", systemClock);
  const added = await addUser(store, { name: "twin", team, role: "member" }, systemClock);
  await addUser(store, { name: "twin", team, role: "member" }, systemClock);
  expect(() => findUser(store.view, "twin")).toThrow(
    /several users are named "twin"; name one by its id: [0-9a-f]{32},/,
  );
  expect(() => findTeam(store.view, "studios")).toThrow('there is no team "studios": `team list` shows them');
  expect(findUser(store.view, added.userId).name).toBe("twin");
  // An id goes before a name.
  await store.commit([create("teams", { id: "f".repeat(32), name: team.id, createdAt: 0 })]);
  expect(findTeam(store.view, team.id).name).toBe("studio");
});

test("rejects a second team of the same name, and names that are not printable", async () => {
  const team = await addTeam(store, "studio", systemClock);
  await expect(addTeam(store, "studio", systemClock)).rejects.toThrow(`there is a team "studio" already: ${team.id}`);
  await expect(addTeam(store, "a\u001b[31m", systemClock)).rejects.toThrow("is not a name");
});
