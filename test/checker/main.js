// Judges recorded histories: `node test/checker/main.js --help`. Runs main.ts where this Node runs TypeScript. An older one would
// only state that it does not know the extension .ts, and exit with 1, which is the exit code of a violation.
if (process.features.typescript) {
  import("./main.ts").catch((error) => {
    process.stderr.write(`error: nothing was judged: the checker cannot be loaded: ${error.message}\n`);
    process.exitCode = 2;
  });
} else {
  process.stderr.write(
    `error: nothing was judged: the checker needs Node 24, or 22.18 and later, which run TypeScript; this is Node ${process.versions.node}.\n`,
  );
  process.exitCode = 2;
}
