/** Disks of shells that a test left running: their devices would keep the room of files that are gone. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { programPath } from "./machine.ts";

/** Lets go of those whose file is below the folder; one that is still mounted goes when it is not. */
export function detachLoopDevices(folder: string): void {
  if (process.getuid?.() !== 0 || !existsSync("/dev/loop-control")) return;
  const losetup = (...args: readonly string[]) =>
    execFileSync("losetup", args, { encoding: "utf8", env: { PATH: programPath() } });
  for (const line of losetup("--noheadings", "--output", "NAME,BACK-FILE").split("\n")) {
    const [device = "", file = ""] = line.trim().split(/\s+/);
    if (file.startsWith(`${folder}/`)) losetup("--detach", device);
  }
}
