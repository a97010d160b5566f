import { createLog } from "@elastic/std/log.ts";
import { expect, onTestFinished, test } from "vitest";
import type { Evictable, EvictableStore } from "../domain/evictable.ts";
import { type DiskKeeper, keepDisks } from "./keep-disks.ts";

/** Two disks: `/state` and `/engine` are on the same one unless said otherwise. */
class Machine {
  readonly evicted: string[] = [];
  readonly changes: (string | null)[] = [];
  readonly devices: Record<string, number> = { "/state": 1, "/engine": 1 };
  readonly used: Record<number, number> = { 1: 50, 2: 50 };
  readonly stores: (EvictableStore & { readonly things: Evictable[] })[] = [];

  /** Each thing takes ten percent of its disk. */
  store(folder: string, things: Readonly<Record<string, number>>, inUse: readonly string[] = []): void {
    const all = Object.entries(things).map(([name, usedAtMs]) => ({
      name,
      usedAtMs,
      evict: async () => {
        if (inUse.includes(name)) throw new Error("in use");
        this.evicted.push(name);
        all.splice(
          all.findIndex((each) => each.name === name),
          1,
        );
        const device = this.devices[folder] ?? 0;
        this.used[device] = (this.used[device] ?? 0) - 10;
      },
    }));
    this.stores.push({ folder: () => folder, evictable: async () => [...all], things: all });
  }

  async keep(): Promise<DiskKeeper> {
    const keeper = await keepDisks({
      folders: () => ["/state", "/engine", "/gone"],
      stores: this.stores,
      marks: { highPercent: 90, lowPercent: 80 },
      readUsage: async (folder) => {
        const device = this.devices[folder];
        return device === undefined ? null : { device, usedPercent: this.used[device] ?? 0 };
      },
      onChange: () => void this.changes.push(keeper?.pressure() ?? null),
      everyMs: 1,
      log: createLog({ name: "test", level: "silent" }),
    });
    onTestFinished(() => keeper.stop());
    return keeper;
  }
}

test("evicts nothing below the high watermark", async () => {
  const machine = new Machine();
  machine.used[1] = 90;
  machine.store("/state", { a: 1 });
  expect((await machine.keep()).pressure()).toBeNull();
  expect(machine.evicted).toEqual([]);
});

test("evicts down to the low watermark, of all kinds what was used the longest ago", async () => {
  const machine = new Machine();
  machine.used[1] = 95;
  machine.store("/state", { volume: 2, other: 9 });
  machine.store("/engine", { image: 1, newer: 3 });
  expect((await machine.keep()).pressure()).toBeNull();
  expect(machine.evicted).toEqual(["image", "volume"]);
});

test("evicts nothing of another disk", async () => {
  const machine = new Machine();
  machine.devices["/engine"] = 2;
  machine.used[2] = 95;
  machine.store("/state", { volume: 1 });
  machine.store("/engine", { image: 2, newer: 3 });
  await machine.keep();
  expect(machine.evicted).toEqual(["image", "newer"]);
});

test("passes over what turns out to be in use", async () => {
  const machine = new Machine();
  machine.used[1] = 91;
  machine.store("/state", { busy: 1, idle: 2, newest: 3 }, ["busy"]);
  expect((await machine.keep()).pressure()).toBeNull();
  expect(machine.evicted).toEqual(["idle", "newest"]);
});

test("tries what stays although it was evicted once a turn, and then the next", async () => {
  const machine = new Machine();
  machine.used[1] = 95;
  const evict = async () => void machine.evicted.push("stays");
  const stays = { name: "stays", usedAtMs: 0, evict };
  machine.stores.push({ folder: () => "/state", evictable: async () => [stays], things: [] });
  machine.store("/state", { a: 1, b: 2 });
  expect((await machine.keep()).pressure()).toBeNull();
  expect(machine.evicted).toEqual(["stays", "a", "b"]);
});

test("reports pressure once nothing is left to evict, until the disk is at its low watermark", async () => {
  const machine = new Machine();
  machine.used[1] = 99;
  machine.store("/engine", { image: 1 });
  const keeper = await machine.keep();
  // Ten percent were evicted, and 89 are between the marks.
  expect(keeper.pressure()).toBeNull();
  machine.used[1] = 96.5;
  await expect
    .poll(() => keeper.pressure())
    .toBe(
      "the disk of /state is 96 % full, above 90 %, and nothing on it can be evicted: no new work before it is at 80 %",
    );
  machine.used[1] = 85;
  await expect.poll(() => keeper.pressure()).not.toBeNull();
  machine.used[1] = 80;
  await expect.poll(() => keeper.pressure()).toBeNull();
  expect(machine.changes).toHaveLength(2);
});
