/**
 * Prints the names of a library's provers as a JSON array: the agent starts a child process for it, since loading a
 * library may crash.
 *
 *   node list-provers.ts <library> <test provers: 0|1>
 */
import { loadLibrary } from "./library.ts";

const [libraryPath, testProvers] = process.argv.slice(2);
if (libraryPath === undefined) throw new Error("list-provers.ts needs a library");
process.stdout.write(JSON.stringify(loadLibrary(libraryPath, { testProvers: testProvers === "1" }).names()));
