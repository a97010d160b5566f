/** Before `npm pack`: makes of the command what installed packages run, and adds the sources of the SDK. */
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";
import { unpackSdk } from "../package/sdk-source.ts";
import { bundleCommand } from "./bundle.ts";
import { removePacked } from "./packed-folders.ts";

removePacked();
await bundleCommand(join(PACKAGE_ROOT, "dist"));
await unpackSdk(join(PACKAGE_ROOT, "sdk"));
