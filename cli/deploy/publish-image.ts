/** Brings an image of the local engine into the service's own registry. */
import type { Caller } from "../api/caller.ts";
import { getRegistry } from "../api/registry.ts";
import { getService } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import type { Engine } from "../engine/engine.ts";
import { findEngine } from "../engine/find-engine.ts";
import { CliError } from "../errors/cli-error.ts";
import { hasImage, tagImage } from "../push/local-image.ts";
import { pushImage } from "../push/push-image.ts";
import { doneText } from "../push/push-text.ts";
import { showPush } from "../push/show-push.ts";
import { repositoryName, tagIn } from "./image-name.ts";

export interface Publication {
  readonly serviceId: string;
  /** As the local engine knows it. */
  readonly image: string;
  /** What it is to be called; as its own tag, or `latest`, where nothing is given. */
  readonly tag: string | undefined;
}

/** The name and digest under which it can be deployed; null when the engine has no such image. */
export async function publishImage(context: Context, caller: Caller, publication: Publication): Promise<string | null> {
  const service = await getService(caller, publication.serviceId);
  const registry = await getRegistry({ ...caller, teamId: service.team_id });
  if (registry === null) throw noRegistry(publication.image);
  const repository = `${registry.repository_prefix}${repositoryName(service)}`;
  const engine = await findEngine(context.settings.engine);
  try {
    return await push(context, engine, publication, { host: registry.host, repository, password: caller.apiKey });
  } finally {
    await engine.close();
  }
}

async function push(
  { printer, signal }: Context,
  engine: Engine,
  { image, tag: wanted }: Publication,
  to: { readonly host: string; readonly repository: string; readonly password: string },
): Promise<string | null> {
  if (!(await hasImage(engine, image, signal))) return null;
  const tag = wanted ?? tagIn(image) ?? "latest";
  const name = `${to.host}/${to.repository}`;
  await tagImage(engine, image, { repository: name, tag }, signal);
  printer.note(`Pushing ${image} as ${name}:${tag}`);
  const state = await pushImage(engine, {
    ...to,
    tag,
    signal,
    onState: showPush(printer),
    onRetry: (words, delayMs) => printer.note(`The push was cut (${words}); it resumes in ${delayMs / 1000} s.`),
  });
  if (!printer.redraws) printer.note(doneText(state));
  // By its digest what is deployed is what was pushed, whoever pushes under the same tag meanwhile.
  return state.digest === null ? `${name}:${tag}` : `${name}:${tag}@${state.digest}`;
}

function noRegistry(image: string): CliError {
  return new CliError(`The service has no registry, to which ${image} could be pushed from here.`, {
    code: "no_registry",
    next: "Push it to a registry that the service allows, and name it as registry.example.com/prover:1.",
  });
}
