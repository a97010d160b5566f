#!/usr/bin/env node
// The installed package runs what was compiled for it; the repository runs its sources as they are.
import { existsSync } from "node:fs";

const compiled = new URL("../dist/main.js", import.meta.url);
await import(existsSync(compiled) ? compiled.href : new URL("../main.ts", import.meta.url).href);
