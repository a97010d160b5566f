/** `npm run demo`: see help.txt for its options. Set-up has run before it (demo.sh). */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { searchPath } from "../local/search-path.ts";
import { runDemo } from "./demo.ts";
import { claimFolder, whyNotOurs } from "./folder.ts";
import { removeLeftovers, stopDemo } from "./leftovers.ts";
import { egressAllow, parseOptions, sayWhatIsWrong } from "./options.ts";
import { placesIn, USUAL_FOLDER } from "./places.ts";
import { openRestartRecord } from "./restart-record.ts";
import { livingSupervisor } from "./state-file.ts";
import { stopOptions } from "./stop-options.ts";

const say = (line: string): void => console.log(line);
process.exitCode = await main();

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (sayWhatIsWrong(args)) return 2;
  const options = parseOptions(args);
  if (options.help) {
    say(readFileSync(join(import.meta.dirname, "help.txt"), "utf8").trimEnd());
    return 0;
  }
  const places = placesIn(resolve(options.folder ?? USUAL_FOLDER), options);
  const foreign = whyNotOurs(places, USUAL_FOLDER);
  if (foreign !== null) {
    console.error(foreign);
    return 1;
  }
  if (options.stop) {
    await stopDemo(places, say);
    return 0;
  }
  const running = livingSupervisor(places.state);
  if (running !== null) {
    console.error(`A demo is running already (process ${running}): end it with npm run demo -- ${stopOptions(places)}`);
    return 1;
  }
  await removeLeftovers(places);
  claimFolder(places);
  const ending = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => ending.abort());
  return await runDemo(options, {
    places,
    restart: openRestartRecord(places.restart),
    path: searchPath(process.env.PATH ?? ""),
    egressAllow: egressAllow(process.env.ELASTIC_EGRESS_ALLOW ?? "", options.localWebhooks),
    acceptStore: process.env.ELASTIC_ACCEPT_STORE ?? "",
    tools: toolEnvironment(process.env),
    accelLibrary: process.env.ELASTIC_ACCEL_LIBRARY ?? "",
    end: ending.signal,
    say,
  });
}

/** With rustup's folder, which only login shells have on their path. */
function toolEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...env, PATH: [searchPath(env.PATH ?? ""), join(homedir(), ".cargo", "bin")].join(delimiter) };
}
