/** What the harness takes from the environment: the only place of it that reads there. */
import { searchPath } from "@elastic/deploy/local/search-path.ts";

/** The search path with which programs are found and started. */
export function programPath(): string {
  return searchPath(process.env.PATH ?? "");
}

/** What the tools that a test run starts are given. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** The same, with the search path of the harness. */
export function toolEnvironment(): NodeJS.ProcessEnv {
  return { ...inheritedEnvironment(), PATH: programPath() };
}

/** On CI nothing may be missing: what elsewhere is skipped with a reason is a failure there. */
export function isCi(): boolean {
  return process.env.CI === "true";
}

/** To look at afterwards: with this set, the folders of tests stay, logs and all. */
export function keepsFolders(): boolean {
  return process.env.ELASTIC_TEST_KEEP === "1";
}

/** How long a test runs that repeats something for minutes; less while one works on it. */
export function testMinutes(usual: number): number {
  return Number(process.env.ELASTIC_TEST_MINUTES ?? usual);
}

const ENGINE_DOOR = "ELASTIC_TEST_ENGINE_DOOR";

/** Where test files get the engine that they share (engine-for-all.ts); null outside of a run. */
export function engineDoor(): string | null {
  return process.env[ENGINE_DOOR] ?? null;
}

/** For all that this process starts from now on. */
export function nameEngineDoor(path: string): void {
  process.env[ENGINE_DOOR] = path;
}
