// The installed package runs the bundle that was packed; the repository runs its sources as they are.
import { existsSync } from "node:fs";

const bundled = new URL("../dist/connect-ssh.js", import.meta.url);
await import(existsSync(bundled) ? bundled.href : new URL("../connect-ssh/main.ts", import.meta.url).href);
