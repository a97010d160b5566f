/** An sshd of this machine that lets its own user in by key, and a folder of theirs: nothing between them and the disk. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { startChild } from "@elastic/deploy/local/child.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { processTree } from "../measure/process-tree.ts";
import { requireProgram } from "../service/servers/system-program.ts";
import type { Contender } from "./contender.ts";

const STARTS_WITHIN_MS = 10_000;

export interface PlainSshd extends Contender {
  stop(): Promise<void>;
}

/** `identity` is the private key of the one who logs in. */
export async function startPlainSshd(given: {
  readonly folder: string;
  readonly path: string;
  readonly identity: string;
}): Promise<PlainSshd> {
  const { path, identity } = given;
  const folder = join(given.folder, "sshd");
  const home = join(folder, "home");
  mkdirSync(home, { recursive: true });
  const program = { name: "sshd", debianPackage: "openssh-server", alsoIn: "/usr/sbin" };
  const command = requireProgram(program, path);
  const hostKey = join(folder, "host_key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", hostKey], { env: { PATH: path } });
  const authorized = join(folder, "authorized_keys");
  writeFileSync(authorized, readFileSync(`${identity}.pub`));
  // Where it shuts itself into before anybody has logged in.
  if (process.getuid?.() === 0) mkdirSync("/run/sshd", { recursive: true, mode: 0o755 });
  const port = await freePort();
  const settings = {
    Port: port,
    ListenAddress: "127.0.0.1",
    HostKey: hostKey,
    AuthorizedKeysFile: authorized,
    PasswordAuthentication: "no",
    KbdInteractiveAuthentication: "no",
    PermitRootLogin: "yes",
    StrictModes: "no",
    UsePAM: "no",
    PidFile: "none",
    PrintMotd: "no",
    PrintLastLog: "no",
    MaxStartups: 500,
    Subsystem: "sftp internal-sftp",
  };
  const config = join(folder, "config");
  writeFileSync(
    config,
    Object.entries(settings)
      .map(([name, value]) => `${name} ${value}\n`)
      .join(""),
  );
  const child = await startChild({
    name: "sshd",
    command,
    args: ["-D", "-e", "-f", config],
    env: { PATH: path },
    logFile: join(folder, "sshd.log"),
  });
  await child.line((line) => (line.includes("Server listening on") ? true : undefined), STARTS_WITHIN_MS);
  return {
    name: "plain sshd",
    version: versionOf(path),
    home,
    place: { folder, address: `127.0.0.1:${port}`, user: userInfo().username, password: "", identity },
    carriers: () => processTree(child.pid),
    stop: async () => void (await child.stop()),
  };
}

function versionOf(path: string): string {
  const version = execFileSync("sh", ["-c", "ssh -V 2>&1"], { encoding: "utf8", env: { PATH: path } });
  return /OpenSSH_(\S+)/.exec(version)?.[1] ?? "unknown";
}
