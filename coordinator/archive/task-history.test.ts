import { expect, test } from "vitest";
import { type HistoryArchive, TaskHistory } from "./task-history.ts";
import { anEndedTask } from "./testing/ended-tasks.ts";
import { addTask, startMoving } from "./testing/moving.ts";

const NOW = 1_700_000_000_000;
const HOUR_MS = 3_600_000;
const LIMITS = { afterMs: 600_000, endedMax: 50_000 };

test("finds a task in the archive that leaves the store while others are read from there", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  const mover = moving.mover(store, LIMITS);
  const moveAll = async (): Promise<void> => {
    while (await mover.move());
  };
  const [earlier, later] = [anEndedTask({ createdAt: NOW - 2 * HOUR_MS }), anEndedTask({ createdAt: NOW - HOUR_MS })];
  await addTask(store, earlier);
  await moveAll();
  await addTask(store, later);
  const { archive } = moving;
  const leavesMeanwhile: HistoryArchive = {
    list: (filter, page) => archive.list(filter, page),
    usage: (...of) => archive.usage(...of),
    usageDays: (...of) => archive.usageDays(...of),
    async getMany(ids) {
      await moveAll();
      await expect.poll(() => store.view.tasks.get(later.id)).toBeUndefined();
      return await archive.getMany(ids);
    },
  };
  const history = new TaskHistory(store.view.tasks, leavesMeanwhile);
  const page = await history.list({ teamId: earlier.teamId }, { offset: 0, limit: 10 });
  expect(page.ids).toEqual([later.id, earlier.id]);
  expect([...page.archived.keys()].sort()).toEqual([earlier.id, later.id].sort());
});
