/**
 * Loaded before a program under test (`node --import`): shifts its wall clock, and no other of its clocks. By
 * `aheadMs` of its URL from the start, and by what the file of its process id in the `folder` of its URL has from when that
 * is written.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const LOOK_EVERY_MS = 20;

const RealDate = globalThis.Date;
const { searchParams } = new URL(import.meta.url);
const folder = searchParams.get("folder") ?? "";
let aheadMs = Number(searchParams.get("aheadMs"));

class ShiftedDate extends RealDate {
  constructor(...given: readonly unknown[]) {
    const all = given.length === 0 ? [ShiftedDate.now()] : given;
    super(...(all as unknown as [number]));
  }

  static override now(): number {
    return RealDate.now() + aheadMs;
  }
}

globalThis.Date = ShiftedDate as DateConstructor;
setInterval(() => {
  try {
    aheadMs = Number(readFileSync(join(folder, String(process.pid)), "utf8"));
  } catch {
    // It was not shifted.
  }
}, LOOK_EVERY_MS).unref();
