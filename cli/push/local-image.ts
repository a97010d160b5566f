/** An image on the local engine: found, and given the name under which it is pushed. */
import type { Engine } from "../engine/engine.ts";
import { CliError } from "../errors/cli-error.ts";

interface Inspected {
  readonly Os?: string;
  readonly Architecture?: string;
}

/** Whether the engine has it. Throws for one that no machine of the service can run. */
export async function hasImage(engine: Engine, image: string, signal: AbortSignal): Promise<boolean> {
  const found = await engine.json<Inspected>({ method: "GET", path: `/images/${image}/json`, signal });
  if (found === null) return false;
  const platform = `${found.Os}/${found.Architecture}`;
  if (platform === "linux/amd64") return true;
  throw new CliError(`${image} is for ${platform}; provers run on linux/amd64.`, {
    code: "wrong_platform",
    next: "Build it with `docker build --platform linux/amd64`, or with `elastic build`.",
  });
}

/** Replaces the tag where another image of the engine has it. */
export async function tagImage(
  engine: Engine,
  image: string,
  as: { readonly repository: string; readonly tag: string },
  signal: AbortSignal,
): Promise<void> {
  const query = new URLSearchParams({ repo: as.repository, tag: as.tag });
  await engine.json({ method: "POST", path: `/images/${image}/tag?${query}`, signal });
}
