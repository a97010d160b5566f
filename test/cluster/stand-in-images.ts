/**
 * Images of other projects' programs under their names in deploy/compose, where none can be pulled: made of this machine's
 * Debian packages and of what set-up builds. The programs are real; versions, and scripts that start them, are not theirs.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { finish } from "@elastic/deploy/local/engine-progress.ts";
import { findEtcd } from "@elastic/deploy/local/etcd.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { makeDebianRoot, type RootContents } from "@elastic/deploy/package/image/debian-root.ts";
import type Docker from "dockerode";
import { programPath } from "./machine.ts";

interface StandIn extends RootContents {
  /** The variable of compose.yaml whose default is the image's name. */
  readonly variable: string;
  /** As lines of a Dockerfile. */
  readonly changes: readonly string[];
  /** Puts in place what the image has and the packages do not. */
  readonly arrange: (root: string) => void;
}

const NOBODY = 65_534;
const POSTGRES = 70;
/** Needed by scripts of packages, which do not run, or by what is not used here. */
const LEFT_OUT = [
  ...["adduser", "daemon", "debconf", "dpkg", "init-system-helpers", "openssl", "perl", "perl-base", "ssl-cert", "tar"],
  ...["libllvm14", "libz3-4", "libperl5.36", "perl-modules-5.36", "postgresql-client-common", "postgresql-common"],
  ...[
    "libjs-bootstrap4",
    "libjs-jquery",
    "libjs-popper.js",
    "node-popper2",
    "libjs-d3",
    "node-jquery",
    "fonts-glyphicons-halflings",
  ],
];
/** What the image of PostgreSQL does before it starts the server, as far as compose.yaml relies on it. */
const START_POSTGRES = `#!/bin/sh
set -eu
PATH=/usr/lib/postgresql/15/bin:$PATH
DATA=/var/lib/postgresql/data
run() { setpriv --reuid=${POSTGRES} --regid=${POSTGRES} --clear-groups -- "$@"; }
chown ${POSTGRES}:${POSTGRES} $DATA && chmod 700 $DATA
if [ ! -e $DATA/PG_VERSION ]; then
  run initdb --pgdata=$DATA --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 >/dev/null
  echo "host all all all scram-sha-256" >> $DATA/pg_hba.conf
  run pg_ctl --pgdata=$DATA --options="-c listen_addresses= -c unix_socket_directories=/tmp" --wait start >/dev/null
  run createdb --host=/tmp --username="$POSTGRES_USER" "$POSTGRES_DB"
  run pg_ctl --pgdata=$DATA --mode=fast --wait stop >/dev/null
fi
exec setpriv --reuid=${POSTGRES} --regid=${POSTGRES} --clear-groups -- postgres -D $DATA -c listen_addresses='*' -c unix_socket_directories=/run/postgresql -c jit=off
`;

const STAND_INS: readonly StandIn[] = [
  {
    variable: "ETCD_IMAGE",
    packages: ["ca-certificates"],
    leftOut: [...LEFT_OUT, "libc6", "libgcc-s1", "libssl3", "gcc-12-base"],
    changes: ['CMD ["/usr/local/bin/etcd"]'],
    arrange: (root) => place(findEtcd(programPath()).path, join(root, "usr/local/bin/etcd")),
  },
  {
    variable: "POSTGRES_IMAGE",
    packages: ["postgresql-15", "dash", "coreutils", "util-linux", "libnss-systemd"],
    leftOut: LEFT_OUT,
    changes: ['ENTRYPOINT ["/start-postgres"]'],
    arrange(root) {
      writeFileSync(join(root, "start-postgres"), START_POSTGRES, { mode: 0o755 });
      place(join(root, "usr/lib/postgresql/15/bin/pg_isready"), join(root, "usr/local/bin/pg_isready"));
      mkdirSync(join(root, "var/lib/postgresql/data"), { recursive: true });
      // A file system in memory that is mounted there has its mode, from the second start on.
      mkdirSync(join(root, "run/postgresql"), { recursive: true });
      chmodSync(join(root, "run/postgresql"), 0o1777);
      users(root, `postgres:x:${POSTGRES}:${POSTGRES}::/var/lib/postgresql:/bin/sh`);
    },
  },
  {
    variable: "CADDY_IMAGE",
    packages: ["caddy"],
    leftOut: LEFT_OUT,
    changes: ['CMD ["caddy"]'],
    arrange: users,
  },
  {
    variable: "REGISTRY_IMAGE",
    packages: ["docker-registry"],
    leftOut: LEFT_OUT,
    changes: ['ENTRYPOINT ["/bin/registry"]'],
    arrange(root) {
      place(join(root, "usr/bin/docker-registry"), join(root, "bin/registry"));
      users(root);
    },
  },
  {
    variable: "PROMETHEUS_IMAGE",
    packages: ["prometheus"],
    leftOut: LEFT_OUT,
    changes: ['ENTRYPOINT ["/bin/prometheus"]', `USER ${NOBODY}`],
    arrange(root) {
      place(join(root, "usr/bin/prometheus"), join(root, "bin/prometheus"));
      owned(join(root, "prometheus"), NOBODY);
      users(root);
    },
  },
  {
    variable: "ALERTMANAGER_IMAGE",
    packages: ["prometheus-alertmanager"],
    leftOut: LEFT_OUT,
    changes: ['ENTRYPOINT ["/bin/alertmanager"]', `USER ${NOBODY}`],
    arrange(root) {
      place(join(root, "usr/bin/prometheus-alertmanager"), join(root, "bin/alertmanager"));
      owned(join(root, "alertmanager"), NOBODY);
      users(root);
    },
  },
];

/** Of this machine: they are made once, and again where this file changes. */
const CACHE = inRepository(".cache", "stand-ins");

/** Makes them in the engine. */
export async function importStandIns(docker: Docker): Promise<void> {
  const compose = readFileSync(inRepository("deploy", "compose", "compose.yaml"), "utf8");
  for (const standIn of STAND_INS) {
    const { variable, changes } = standIn;
    const [, repo, tag] = new RegExp(`\\$\\{${variable}:-(.+):([^:}]+)\\}`).exec(compose) ?? [];
    if (repo === undefined || tag === undefined) throw new Error(`compose.yaml has no ${variable}`);
    const files = createReadStream(await filesOf(standIn));
    await finish(docker, await docker.importImage(files, { repo, tag, changes: changes.join("\n") }));
  }
}

/** All in it, as a tar file. */
async function filesOf({ variable, arrange, ...contents }: StandIn): Promise<string> {
  const version = createHash("sha256")
    .update(readFileSync(import.meta.filename))
    .digest("hex")
    .slice(0, 12);
  const file = join(CACHE, `${variable}-${version}.tar`);
  if (existsSync(file)) return file;
  mkdirSync(CACHE, { recursive: true });
  const work = mkdtempSync(join(CACHE, ".unfinished-"));
  try {
    const root = join(work, "root");
    await makeDebianRoot(contents, root, work);
    mkdirSync(join(root, "tmp"), { recursive: true });
    chmodSync(join(root, "tmp"), 0o1777);
    arrange(root);
    execFileSync("tar", ["--create", "--file", join(work, "files.tar"), "--directory", root, "."]);
    for (const old of readdirSync(CACHE)) if (old.startsWith(`${variable}-`)) rmSync(join(CACHE, old));
    renameSync(join(work, "files.tar"), file);
    return file;
  } finally {
    rmSync(work, { recursive: true });
  }
}

function place(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function owned(path: string, id: number): void {
  mkdirSync(path);
  chownSync(path, id, id);
}

function users(root: string, ...more: readonly string[]): void {
  const all = ["root:x:0:0:root:/root:/bin/sh", `nobody:x:${NOBODY}:${NOBODY}::/:/bin/sh`, ...more];
  writeFileSync(join(root, "etc/passwd"), all.map((line) => `${line}\n`).join(""));
}
