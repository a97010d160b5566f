/** Why no container engine could be reached, and what to do about it. */
import { CliError } from "../errors/cli-error.ts";

/** A place that did not respond. */
export interface Silence {
  readonly place: string;
  /** A code such as `EACCES`, or words. */
  readonly obstacle: string;
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such socket",
  ECONNREFUSED: "nothing listens there any more",
  EACCES: "you may not use it",
};

export function noEngine(silent: readonly Silence[]): CliError {
  const places = silent.map(({ place, obstacle }) => `${place}: ${WORDS[obstacle] ?? obstacle}`).join("; ");
  const has = (code: string) => silent.some(({ obstacle }) => obstacle === code);
  if (has("EACCES")) {
    return new CliError(`You may not use the container engine (${places}).`, {
      code: "engine_not_allowed",
      next: "Add yourself to the engine's group (`sudo usermod -aG docker $USER`, then log in again).",
    });
  }
  if (has("ECONNREFUSED")) {
    return new CliError(`The container engine does not run (${places}).`, {
      code: "no_engine",
      next: "Start it, as with `sudo systemctl start docker`, and run the command again.",
    });
  }
  return new CliError(
    `No container engine responds: ${places === "" ? "none listens where engines usually do" : places}.`,
    {
      code: "no_engine",
      next:
        "Install and start Docker or Podman, or say where it listens: `export DOCKER_HOST=unix:///path/to/docker.sock` " +
        "(a demo with --keep prints that line).",
    },
  );
}
