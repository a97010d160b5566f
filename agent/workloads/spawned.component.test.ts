import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";

const STARTS = {
  "a kernel host": `
    const { startHost } = await import("./builtin/host-process.ts");
    start = () => startHost({ file: "true", args: [], env: {} }, new AbortController().signal);`,
  "a relay into a shell": `
    const { runPort } = await import("../tunnels/port-tunnel.ts");
    start = () => runPort({ pid: async () => process.pid }, 80, () => null);`,
  "a relay into a container": `
    const { startRelay } = await import("./docker/relay.ts");
    start = () => startRelay({ pid: process.pid, port: 80, socketPath: "/nowhere/relay", connectionsMax: 1 });`,
};

test.each(Object.entries(STARTS))("%s that finds no file descriptor does not start, and the agent lives", (_, load) => {
  const source = `
    import { openSync } from "node:fs";
    import { setImmediate as turn } from "node:timers/promises";
    let start;
    ${load}
    try { for (;;) openSync("/dev/null"); } catch {}
    await start().catch(() => process.stdout.write("refused, "));
    for (let turns = 0; turns < 10; turns++) await turn();
    process.stdout.write("lives");`;
  const few = ["-c", 'ulimit -n 64; exec "$0" "$@"', process.execPath, "--input-type=module", "--eval", source];
  const ran = spawnSync("sh", few, { cwd: import.meta.dirname, encoding: "utf8" });
  expect([ran.status, ran.stdout]).toEqual([0, "refused, lives"]);
});
