/** Starts a deployment; what only the local engine has is pushed to the service's registry before it. */
import type { Caller } from "../api/caller.ts";
import type { DeploymentRecord, NewDeployment } from "../api/records.ts";
import { deploy } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { imagePlace, tagIn } from "./image-name.ts";
import { publishImage } from "./publish-image.ts";

type Role = "image" | "verifier_image";

const ROLES: readonly Role[] = ["image", "verifier_image"];
/** The longest that a registry takes. */
const TAG_LENGTH_MAX = 128;

/** The record as the service accepted it, which does not serve yet. Throws a CliError where an image is nowhere. */
export async function deployImage(
  context: Context,
  caller: Caller,
  serviceId: string,
  wanted: NewDeployment,
): Promise<DeploymentRecord> {
  const publish = async (role: Role, image: string): Promise<string | null> =>
    await publishImage(context, caller, { serviceId, image, tag: tagOf(role, image, wanted.tag) });
  const named = { ...wanted };
  const pushed = new Set<Role>();
  for (const role of ROLES) {
    const image = named[role];
    if (!image || imagePlace(image) !== "local") continue;
    const place = await publish(role, image);
    if (place === null) throw unknownImage(image);
    named[role] = place;
    pushed.add(role);
  }
  for (;;) {
    try {
      return await deploy(caller, serviceId, named);
    } catch (error) {
      const role = refusedRole(error);
      const image = role === null || pushed.has(role) ? null : named[role];
      // An image may be named after a registry that it has never been pushed to.
      if (role === null || !image || imagePlace(image) === "builtin") throw error;
      const place = await publish(role, image).catch((obstacle: unknown) => {
        // Where nothing can be pushed from here, what the server said is what there is to say.
        if (hasCode(obstacle, ["no_registry", "no_engine", "engine_not_allowed"])) return null;
        throw obstacle;
      });
      if (place === null) throw error;
      named[role] = place;
      pushed.add(role);
    }
  }
}

/** Both are in the service's repository: the verifier's differs by its tag. */
function tagOf(role: Role, image: string, wanted: string | undefined): string | undefined {
  if (role === "image") return wanted;
  const end = "-verifier";
  return `${(wanted ?? tagIn(image) ?? "latest").slice(0, TAG_LENGTH_MAX - end.length)}${end}`;
}

/** Which of the images the server does not find; null when the error is another. */
function refusedRole(error: unknown): Role | null {
  if (!(error instanceof CliError) || !hasCode(error, ["image_not_found", "registry_not_allowed"])) return null;
  return error.pointers.includes("#/verifier_image") ? "verifier_image" : "image";
}

function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof CliError && codes.includes(error.code);
}

function unknownImage(image: string): CliError {
  return new CliError(`The container engine of this machine has no image ${image}.`, {
    code: "image_not_found",
    next: "Build it with `elastic build` or `docker build -t <name> .`; `docker images` shows those that are there.",
  });
}
