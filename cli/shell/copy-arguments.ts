/** What follows `scp`: `lab:results` becomes a place in the shell, `./results` stays one of this machine. */
import { usageError } from "../errors/cli-error.ts";
import type { ShellAddress } from "./address.ts";

export interface CopyPlace {
  /** Null on this machine. */
  readonly shell: string | null;
  readonly path: string;
}

/** A name of a shell begins with a letter or digit and has no slash: `./lab:results` is a path here. */
export function parseCopyPlace(text: string): CopyPlace {
  const [, shell, path] = /^([A-Za-z0-9][A-Za-z0-9._-]*):(.*)$/s.exec(text) ?? [];
  return shell === undefined || path === undefined ? { shell: null, path: text } : { shell, path };
}

/** The one shell that both places name, as one of them must. */
export function shellOfCopy(from: CopyPlace, to: CopyPlace): string {
  const [first, ...others] = [from.shell, to.shell].filter((shell) => shell !== null);
  if (first !== undefined && others.length === 0) return first;
  throw usageError(
    first === undefined ? "Neither place is in a shell." : "Both places are in shells.",
    "Give one as <shell>:<path>, the other as a path here.",
  );
}

/** Paths here are made such that scp takes none of them for an option or another host. */
export function copyArguments(
  { user, host, port }: ShellAddress,
  places: readonly CopyPlace[],
  recursive: boolean,
): readonly string[] {
  const bracketed = host.includes(":") ? `[${host}]` : host;
  // A path that begins with a dash, or holds a colon, is a path all the same.
  const here = (path: string) => (path.startsWith("/") ? path : `./${path}`);
  return [
    ...["-P", String(port)],
    ...(recursive ? ["-r"] : []),
    "--",
    ...places.map(({ shell, path }) => (shell === null ? here(path) : `${user}@${bracketed}:${path}`)),
  ];
}
