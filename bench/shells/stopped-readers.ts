/** What is held for clients that request a flood and then do not read it. */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { residentBytes } from "@elastic/test/cluster/resident-memory.ts";
import { startSsh, target } from "@elastic/test/cluster/ssh-client.ts";
import { type Contender, OPTIONS } from "./contender.ts";

const LOOK_EVERY_MS = 100;
const MEBIBYTE = 2 ** 20;

/** MiB by which what carries the bytes is larger at most, in so many seconds of so many readers that stand still. */
export async function heldForStopped(
  contender: Contender,
  given: { readonly readers: number; readonly seconds: number },
): Promise<number> {
  const { place } = contender;
  const readers: ChildProcess[] = [];
  const before = held(contender);
  let most = before;
  try {
    for (let n = 0; n < given.readers; n += 1) {
      const reader = startSsh("ssh", place, [...OPTIONS, target(place), "cat /dev/zero"]);
      readers.push(reader);
      await once(reader.stdout as NodeJS.ReadableStream, "readable");
      reader.kill("SIGSTOP");
    }
    for (let ms = 0; ms < given.seconds * 1000; ms += LOOK_EVERY_MS) {
      await delay(LOOK_EVERY_MS);
      most = Math.max(most, held(contender));
    }
  } finally {
    for (const reader of readers) {
      reader.kill("SIGCONT");
      reader.kill("SIGKILL");
    }
  }
  return (most - before) / MEBIBYTE;
}

function held(contender: Contender): number {
  let bytes = 0;
  for (const pid of contender.carriers()) bytes += ofOne(pid);
  return bytes;
}

/** Nothing of one that ended meanwhile. */
function ofOne(pid: number): number {
  try {
    return residentBytes(pid);
  } catch {
    return 0;
  }
}
