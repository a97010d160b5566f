/** Starts a deployment; what only the local engine has is pushed to the service's registry before it. */
import type { Caller } from "../api/client.ts";
import type { DeploymentRecord, NewDeployment } from "../api/records.ts";
import { deploy } from "../api/services.ts";
import type { Context } from "../context.ts";
import { CliError } from "../errors/cli-error.ts";
import { imagePlace } from "./image-name.ts";
import { publishImage } from "./publish-image.ts";

export async function deployImage(
  context: Context,
  caller: Caller,
  serviceId: string,
  wanted: NewDeployment,
): Promise<DeploymentRecord> {
  const { image, tag } = wanted;
  const publication = { serviceId, image, tag };
  const place = imagePlace(image);
  if (place === "local") {
    const pushed = await publishImage(context, caller, publication);
    if (pushed === null) throw unknownImage(image);
    return await deploy(caller, serviceId, { ...wanted, image: pushed });
  }
  try {
    return await deploy(caller, serviceId, wanted);
  } catch (error) {
    // An image may be named after a registry that it has never been pushed to.
    if (place === "builtin" || !hasCode(error, ["image_not_found", "registry_not_allowed"])) throw error;
    const pushed = await publishImage(context, caller, publication).catch((obstacle: unknown) => {
      // Where nothing can be pushed from here, what the server said is what there is to say.
      if (hasCode(obstacle, ["no_registry", "no_engine", "engine_not_allowed"])) return null;
      throw obstacle;
    });
    if (pushed === null) throw error;
    return await deploy(caller, serviceId, { ...wanted, image: pushed });
  }
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
