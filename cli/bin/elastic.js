#!/bin/sh
":" //#; exec /usr/bin/env node -- "$0" "$@"

// Two readings of one file: sh runs the second line, in which node sees a string and a comment. Without the `--`, node
// takes an option that it has too, such as --env-file, wherever it stands.
// The installed package runs the bundle that was packed; the repository runs its sources as they are.
import { existsSync } from "node:fs";

const bundled = new URL("../dist/main.js", import.meta.url);
if (existsSync(bundled)) {
  await import(bundled.href);
} else if (process.features.typescript) {
  await import(new URL("../main.ts", import.meta.url).href);
} else {
  console.error(
    `error: Node ${process.versions.node} does not run TypeScript, as this checkout is.\n` +
      "Run `bash deploy/setup.sh node` there, and put its node_modules/.bin first into PATH.",
  );
  process.exitCode = 1;
}
