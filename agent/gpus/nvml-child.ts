/** Prints the GPUs of this machine as JSON, or says on standard error why not: `node nvml-child.ts <library>`. */
import { listGpus } from "./nvml.ts";

const [libraryPath] = process.argv.slice(2);
try {
  if (libraryPath === undefined) throw new Error("nvml-child.ts needs a library");
  process.stdout.write(JSON.stringify(listGpus(libraryPath)));
} catch (error) {
  process.stderr.write(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
