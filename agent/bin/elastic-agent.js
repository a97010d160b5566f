#!/usr/bin/env node
// Runs the sources as they are, where this Node does; an older one would only say that it does not know the extension .ts.
if (process.features.typescript) {
  await import(new URL("../main.ts", import.meta.url).href);
} else {
  process.stderr.write(
    `error: Node ${process.versions.node} does not run TypeScript, as this checkout is.\n` +
      "Run `bash deploy/setup.sh node` there, and put its node_modules/.bin first into PATH.\n",
  );
  process.exitCode = 1;
}
