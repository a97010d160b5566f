/** Builds an image for linux/amd64 on the local engine, and shows how far it is. */
import type { Engine } from "../engine/engine.ts";
import { CliError } from "../errors/cli-error.ts";
import { buildContext } from "./build-context.ts";

export interface BuildOptions {
  readonly folder: string;
  /** Name and tag of the image. */
  readonly image: string;
  /** Values of the build file's ARGs. */
  readonly buildArgs: Readonly<Record<string, string>>;
  /** Whether steps may reach the network. */
  readonly network: boolean;
  readonly signal: AbortSignal;
  /** Each line that the build writes. */
  readonly onLine: (line: string) => void;
  /** The last of them, where the build failed. */
  readonly onFailure: (tail: readonly string[]) => void;
}

interface BuildEvent {
  readonly stream?: string;
  readonly error?: string;
  readonly status?: string;
  readonly aux?: { readonly ID?: string };
}

/** Lines of the build that are repeated when it fails. */
const TAIL_LINES = 20;

/** Returns the image's id. Throws a CliError for a build that fails. */
export async function buildImage(engine: Engine, options: BuildOptions): Promise<string> {
  const tail: string[] = [];
  let id: string | null = null;
  // Engines send what a program writes as it comes, which may be a part of a line.
  let begun = "";
  const take = (line: string) => {
    if (line.trim() === "") return;
    tail.push(line.trimEnd());
    if (tail.length > TAIL_LINES) tail.shift();
    options.onLine(line.trimEnd());
  };
  const failed = (error: string) => {
    take(begun);
    options.onFailure(tail);
    return buildFailed(error, tail);
  };
  const call = {
    method: "POST",
    path: `/build?${queryOf(options)}`,
    headers: { "content-type": "application/x-tar" },
    body: buildContext(options.folder),
    signal: options.signal,
  } as const;
  for await (const { stream, status, error, aux } of engine.events<BuildEvent>(call)) {
    if (error !== undefined) throw failed(error);
    if (aux?.ID !== undefined) id = aux.ID;
    if (status !== undefined) for (const line of status.split("\n")) take(line);
    const lines = (begun + (stream ?? "")).split("\n");
    begun = lines.pop() ?? "";
    for (const line of lines) take(line);
  }
  if (id === null) throw failed("the engine returned no image");
  take(begun);
  return id;
}

function queryOf({ image, buildArgs, network }: BuildOptions): URLSearchParams {
  return new URLSearchParams({
    t: image,
    platform: "linux/amd64",
    rm: "1",
    forcerm: "1",
    buildargs: JSON.stringify(buildArgs),
    ...(network ? {} : { networkmode: "none" }),
  });
}

function buildFailed(error: string, tail: readonly string[]): CliError {
  return new CliError(`The build failed: ${error.trim()}.`, {
    code: "build_failed",
    output: [...tail],
    next: nextStep(error, tail.join("\n")),
  });
}

/** The two that a machine without a way to the internet meets, and else what holds always. */
function nextStep(error: string, output: string): string {
  if (
    /pull access denied|manifest (for|unknown)|registry|no such host|failed to resolve|toomanyrequests/i.test(error)
  ) {
    return (
      "A base image could not be pulled: load it into the engine (`docker load`; a demo makes the usual ones with " +
      "`npm run demo -- --base-images --keep`), or name ones that the engine has or can reach, by --build-image and --run-image."
    );
  }
  if (
    /index\.crates\.io|static\.crates\.io|spurious network error|failed to (get|download|fetch|update)/i.test(output)
  ) {
    return (
      "Crates could not be fetched: vendor them (`mkdir -p .cargo && cargo vendor > .cargo/config.toml`) and build with " +
      "--no-network, or name an image that has them by --build-image."
    );
  }
  return "Mend what it says; `docker build .` in the same directory does the same.";
}
