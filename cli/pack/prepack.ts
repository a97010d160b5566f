/** Before `npm pack`: compiles the command, which installed packages must be, and puts the sources of the SDK beside it. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { unpackSdk } from "../init/sdk-source.ts";
import { PACKAGE_ROOT } from "../package-root.ts";
import { removePacked } from "./packed-folders.ts";

removePacked();
const compiler = join(PACKAGE_ROOT, "..", "node_modules", "ts7", "bin", "tsc");
execFileSync(process.execPath, [compiler, "-p", join(PACKAGE_ROOT, "tsconfig.pack.json")], { stdio: "inherit" });
await unpackSdk(join(PACKAGE_ROOT, "sdk"));
