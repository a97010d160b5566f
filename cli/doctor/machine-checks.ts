/** What `elastic doctor` looks for on this machine. */
import { execFile } from "node:child_process";
import { join } from "node:path";
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

/** `folder` is where rustup puts it, which a shell has in its PATH only once it has read that folder's `env`. */
export async function checkCargo(folder: string | undefined): Promise<Check> {
  const version = await versionOf("cargo");
  if (version !== null) return ok("cargo", version);
  const installed = folder === undefined ? null : await versionOf(join(folder, "bin", "cargo"));
  if (installed !== null) {
    return warn(
      "cargo",
      `${installed} is in ${folder}/bin, which is not in PATH`,
      `Run \`. "${folder}/env"\` in this shell.`,
    );
  }
  return warn("cargo", "not found", "Install Rust to try provers here; `elastic build` needs only an engine.");
}

async function versionOf(program: string): Promise<string | null> {
  const run = promisify(execFile)(program, ["--version"], { timeout: ANSWER_WITHIN_MS });
  return await run.then(({ stdout }) => stdout.trim()).catch(() => null);
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
