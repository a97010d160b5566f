/** What an image for shells is made of where none can be pulled: this machine's own programs. `env` is that of the tools that are started. */
import { globSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ImageFiles } from "./import-image.ts";
import { packageFiles } from "./package-files.ts";
import { runTool } from "./run-tool.ts";
import { findProgram } from "./search-path.ts";

/** What a login, a copy and a forwarded port need. */
const ROOTS = ["bash", "dash", "coreutils", "socat", "openssh-client", "openssh-sftp-server"];

/** What recent versions of sshd run for each connection. */
const SSHD_PARTS = "/usr/lib/openssh/sshd-*";

/** Made when the machine was set up. */
const USERS = ["/etc/group"];

/** The user of all shells may log in: sftp's server and sshd look them up. */
const PASSWD = "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:shell:/home/shell:/bin/bash\n";

/** With this machine's sshd where it has one. */
export function shellFiles(env: NodeJS.ProcessEnv): ImageFiles {
  const sshd = findProgram("sshd", env.PATH ?? "");
  const files = [...packageFiles(ROOTS, env), ...USERS];
  const texts = { "etc/passwd": PASSWD };
  if (sshd === null) return { files, texts, renames: [] };
  const libraries = [...runTool(env, "ldd", sshd).matchAll(/ => (\/\S+) /g)].map(([, path = ""]) => path);
  return {
    files: [...new Set([...files, sshd, ...globSync(SSHD_PARTS), ...libraries.flatMap(withItsTarget)])],
    texts,
    renames: [`s,^${sshd.slice(1)}$,usr/sbin/sshd,`],
  };
}

/** A library, and the file that its name links to, each by its real folder. */
function withItsTarget(library: string): readonly string[] {
  const path = join(realpathSync(dirname(library)), basename(library));
  return [path, realpathSync(path)];
}
