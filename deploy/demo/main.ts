/** `npm run demo`: see options.ts for what it can be told. Set-up has run before it (demo.sh). */
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { searchPath } from "../local/search-path.ts";
import { runDemo } from "./demo.ts";
import { removeLeftovers, stopDemo } from "./leftovers.ts";
import { HELP, parseOptions } from "./options.ts";
import { demoLog } from "./places.ts";
import { livingSupervisor } from "./state-file.ts";

const say = (line: string): void => console.log(line);
process.exitCode = await main();

async function main(): Promise<number> {
  const options = parseOptions(process.argv.slice(2));
  if (options.help) {
    say(HELP);
    return 0;
  }
  if (options.stop) {
    await stopDemo(say);
    return 0;
  }
  const running = livingSupervisor();
  if (running !== null) {
    console.error(`A demo is running already (process ${running}): end it with npm run demo -- --stop`);
    return 1;
  }
  await removeLeftovers();
  mkdirSync(dirname(demoLog("any")), { recursive: true, mode: 0o700 });
  const told = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => told.abort());
  return await runDemo(options, searchPath(process.env.PATH ?? ""), told.signal, say);
}
