import { expect, test } from "vitest";
import { endOfKey, newAccessKey, revoked, USE_WRITTEN_EVERY_MS, used } from "./access-key.ts";

const NOW = 1_800_000_000_000;
const key = newAccessKey({
  id: "k",
  name: "test",
  userId: "u",
  teamId: null,
  defaultTeamId: "t",
  scopes: ["tasks:read"],
  secretSha256: "",
  createdAt: NOW,
  expiresAt: NOW + 10,
});

test("a key ends when it expires and when it is revoked, and what came first stands", () => {
  expect(endOfKey(key, NOW + 9)).toBeNull();
  expect(endOfKey(key, NOW + 10)).toBe("expired");
  const ended = revoked(key, NOW + 5);
  expect(endOfKey(ended, NOW + 5)).toBe("revoked");
  expect(revoked(ended, NOW + 7)).toBe(ended);
});

test("a use is worth writing once a minute, and never on a revoked key", () => {
  const once = used(key, NOW);
  expect(once?.lastUsedAt).toBe(NOW);
  if (once === null) throw new Error("not written");
  expect(used(once, NOW + USE_WRITTEN_EVERY_MS - 1)).toBeNull();
  expect(used(once, NOW + USE_WRITTEN_EVERY_MS)?.lastUsedAt).toBe(NOW + USE_WRITTEN_EVERY_MS);
  expect(used(revoked(key, NOW), NOW)).toBeNull();
});
