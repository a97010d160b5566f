/** OpenSSH's own programs as a user of shells runs them, without anything of this machine's configuration. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { programPath } from "./machine.ts";

export interface SshPlace {
  /** For its files. */
  readonly folder: string;
  /** `host:port` of the gateway. */
  readonly address: string;
  readonly user: string;
  /** Empty for none: only keys are tried. */
  readonly password: string;
  /** A private key's file. */
  readonly identity?: string;
  /** Address of this machine that it comes from. */
  readonly from?: string;
  /** Go before all that is said here, as `Keyword=value`. */
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A program of OpenSSH's that runs; `args` come after the options that lead to the gateway. */
export function startSsh(program: "ssh" | "scp" | "sftp", place: SshPlace, args: readonly string[]): ChildProcess {
  return spawn(program, sshArguments(program, place, args), {
    env: sshEnvironment(place),
    stdio: ["pipe", "pipe", "pipe"],
  });
}

export function sshArguments(program: string, place: SshPlace, args: readonly string[]): readonly string[] {
  return [...options(program, place), ...args];
}

export function sshEnvironment(place: SshPlace): Readonly<Record<string, string>> {
  const { password } = place;
  const askpass = join(place.folder, "askpass");
  // Once: a program that is being written cannot be run meanwhile.
  if (!existsSync(askpass)) writeFileSync(askpass, '#!/bin/sh\nprintf "%s\\n" "$SHELL_PASSWORD"\n', { mode: 0o700 });
  return {
    PATH: programPath(),
    SSH_ASKPASS: askpass,
    SSH_ASKPASS_REQUIRE: "force",
    SHELL_PASSWORD: password,
    LANG: "C.UTF-8",
    EDITOR: "not-sent",
    TERM: "xterm",
    ...place.env,
  };
}

/** What it writes until it ends. */
export async function runSsh(
  program: "ssh" | "scp" | "sftp",
  place: SshPlace,
  args: readonly string[],
  input = "",
): Promise<Ended> {
  const child = startSsh(program, place, args);
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  const written = [textOf(child.stdout), textOf(child.stderr)] as const;
  const [code] = (await once(child, "close")) as [number | null];
  return { code, out: await written[0], err: await written[1] };
}

/** Where a file or command of the shell is meant. */
export function target({ user, address }: SshPlace): string {
  return `${user}@${address.split(":")[0]}`;
}

function options(
  program: string,
  { folder, address, identity, password, from, options: first = [] }: SshPlace,
): readonly string[] {
  const port = address.split(":").at(-1) ?? "";
  const given = [
    ...first,
    `UserKnownHostsFile=${join(folder, "known_hosts")}`,
    "GlobalKnownHostsFile=/dev/null",
    "StrictHostKeyChecking=accept-new",
    "IdentitiesOnly=yes",
    "NumberOfPasswordPrompts=1",
    "LogLevel=ERROR",
    "SendEnv=LANG EDITOR",
    `IdentityFile=${identity ?? "none"}`,
    `PasswordAuthentication=${password === "" ? "no" : "yes"}`,
    ...(from === undefined ? [] : [`BindAddress=${from}`]),
  ];
  return ["-F", "none", program === "ssh" ? "-p" : "-P", port, ...given.flatMap((one) => ["-o", one])];
}

async function textOf(stream: Readable | null): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
