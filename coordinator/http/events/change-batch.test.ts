import { expect, test } from "vitest";
import type { Change } from "../../public/team-change.ts";
import { CHANGES_OF_A_KIND_MAX, ChangeBatch } from "./change-batch.ts";

function changeOf(kind: Change["kind"], id: string | null, state: string): Change {
  return { kind, id, serviceId: null, state };
}

test("names each record once, as it stands when the batch is taken", () => {
  const batch = new ChangeBatch();
  batch.add(changeOf("task", "1", "queued"));
  batch.add(changeOf("service", "1", "Ready"));
  batch.add(changeOf("task", "1", "running"));
  expect(batch.take()).toEqual([changeOf("task", "1", "running"), changeOf("service", "1", "Ready")]);
  expect(batch.take()).toEqual([]);
});

test("names the kind alone where more of it changed than a client would read", () => {
  const batch = new ChangeBatch();
  for (let n = 0; n < CHANGES_OF_A_KIND_MAX; n++) batch.add(changeOf("task", String(n), "queued"));
  batch.add(changeOf("shell", "s", "READY"));
  expect(batch.take()).toHaveLength(CHANGES_OF_A_KIND_MAX + 1);
  for (let n = 0; n < 3 * CHANGES_OF_A_KIND_MAX; n++) batch.add(changeOf("task", String(n), "queued"));
  batch.add(changeOf("shell", "s", "READY"));
  expect(batch.take()).toEqual([
    { kind: "task", id: null, serviceId: null, state: null },
    changeOf("shell", "s", "READY"),
  ]);
});
