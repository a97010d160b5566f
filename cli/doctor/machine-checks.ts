/** What `elastic doctor` looks for on this machine. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { CliError } from "../errors/cli-error.ts";
import { findLink } from "../link/service-link.ts";
import { type Check, fail, failedBy, ok, warn } from "./check.ts";

/** The `engines` of this package. */
const NODE_NEEDED: readonly [number, number] = [22, 12];
const ANSWER_WITHIN_MS = 10_000;

export function checkNode(version: string): Check {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const [neededMajor, neededMinor] = NODE_NEEDED;
  const isEnough = major > neededMajor || (major === neededMajor && minor >= neededMinor);
  if (isEnough) return ok("node", version);
  return fail("node", `${version} is too old`, `Install Node ${NODE_NEEDED.join(".")} or newer.`);
}

export async function checkCargo(): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)("cargo", ["--version"], { timeout: ANSWER_WITHIN_MS });
    return ok("cargo", stdout.trim());
  } catch {
    return warn("cargo", "not found", "Install Rust to try provers here; `elastic build` needs only an engine.");
  }
}

export async function checkLink(directory: string): Promise<Check> {
  try {
    const found = await findLink(directory);
    if (found !== null) return ok("directory", `linked to the service ${found.link.serviceName} by ${found.path}`);
    return warn("directory", "not linked to a service", "Run `elastic service create <name>`, or use --service.");
  } catch (error) {
    if (error instanceof CliError) return failedBy("directory", error);
    throw error;
  }
}
