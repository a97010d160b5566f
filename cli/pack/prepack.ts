/** Before `npm pack`: makes of the command what installed packages run, and adds the sources of the SDK and licences. */
import { join } from "node:path";
import { PACKAGE_ROOT } from "../package/package-root.ts";
import { unpackSdk } from "../package/sdk-source.ts";
import { bundleCommand } from "./bundle.ts";
import { writeLicenses } from "./licenses.ts";
import { removePacked } from "./packed-folders.ts";

removePacked();
writeLicenses(await bundleCommand(join(PACKAGE_ROOT, "dist")));
await unpackSdk(join(PACKAGE_ROOT, "sdk"));
