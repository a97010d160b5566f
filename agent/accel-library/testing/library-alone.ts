/** The acceleration library without the plug-in for GPUs that is next to it where CUDA's compiler was available. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { ACCEL_LIBRARY } from "../../testing/start-test-agent.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

export function libraryAlone(): string {
  const library = join(temporaryFolder(), "libzkaccel.so");
  copyFileSync(ACCEL_LIBRARY, library);
  return library;
}
