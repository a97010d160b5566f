#!/bin/sh
":" //#; exec /usr/bin/env node -- "$0" "$@"

// Two readings of one file: sh runs the second line, in which node sees a string and a comment. Without the `--`, node
// takes an option named as one of its own, such as --env-file, wherever it stands.
// The installed package runs the bundle that was packed; the repository runs its sources as they are.
import { existsSync } from "node:fs";

const bundled = new URL("../dist/main.js", import.meta.url);
await import(existsSync(bundled) ? bundled.href : new URL("../main.ts", import.meta.url).href);
