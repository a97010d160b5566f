/** A disk that can be filled: a file system in memory. Needs root. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { programPath } from "./machine.ts";
import { makeWorkFolder } from "./work-folder.ts";

const BLOCK = Buffer.alloc(4096);

export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Writes until nothing more fits; returns how many bytes did. */
  fill(): number;
  /** Removes what filled it. */
  free(): void;
}

/** `size`: as mount(8) has it, such as `128m`. */
export function smallDisk(size: string): SmallDisk {
  const folder = makeWorkFolder();
  const env = { PATH: programPath() };
  execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder.path], { env });
  const filler = join(folder.path, "filler");
  return {
    path: folder.path,
    fill() {
      const file = openSync(filler, "a");
      let written = 0;
      try {
        for (;;) written += writeSync(file, BLOCK);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
        return written;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(filler),
    [Symbol.dispose]() {
      execFileSync("umount", ["--lazy", folder.path], { env });
      folder[Symbol.dispose]();
    },
  };
}
