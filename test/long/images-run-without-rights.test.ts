/**
 * The images of the programs: built twice with the same digests, loaded by a real engine, run as nobody on a read-only root, and
 * pushed to a registry by another implementation of the specification, under the digest that their provenance names.
 */
import { execFileSync } from "node:child_process";
import { createReadStream, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { finish } from "@elastic/deploy/local/engine-progress.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import Docker from "dockerode";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeBareRoot } from "../cluster/bare-root.ts";
import { startEngine, whyNoEngineHere } from "../cluster/engine.ts";
import { startEtcd } from "../cluster/etcd.ts";
import { MANIFEST_TYPE, ociClient } from "../cluster/oci-client.ts";
import { startRegistry } from "../cluster/registry.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";

const noEngine = await whyNoEngineHere();
const COORDINATOR = "elastic-coordinator:0.1.0";
const AGENT = "elastic-agent:0.1.0";
const HEALTHY_TIMEOUT_MS = 90_000;

const parts = new AsyncDisposableStack();
let folder: string;
let images: string;

beforeAll(() => {
  folder = parts.use(makeWorkFolder()).path;
  images = makeImages("images");
}, 900_000);
afterAll(() => parts.disposeAsync(), 60_000);

function makeImages(name: string): string {
  const to = join(folder, name);
  const args = [inRepository("deploy", "package", "main.ts"), "images", "--allow-changes", "--to", to];
  execFileSync(process.execPath, args, { stdio: "pipe" });
  return to;
}

function fileOf(program: string, ending: string): string {
  return join(images, `${program}-0.1.0-linux-${process.arch}.${ending}`);
}

function digestOf(program: string): string {
  const { subject } = JSON.parse(readFileSync(fileOf(program, "provenance.json"), "utf8")) as {
    readonly subject: readonly { readonly digest: { readonly sha256: string } }[];
  };
  return `sha256:${subject[0]?.digest.sha256}`;
}

interface Ended {
  readonly code: number;
  readonly output: string;
}

/** Sealed off as far as an engine can. */
const SEALED: Docker.HostConfig = {
  ReadonlyRootfs: true,
  CapDrop: ["ALL"],
  SecurityOpt: ["no-new-privileges"],
  NetworkMode: "host",
};

async function runToEnd(
  docker: Docker,
  image: string,
  args: string[],
  env: string[] = [],
  host = SEALED,
): Promise<Ended> {
  const output = new PassThrough();
  const printed = text(output);
  const options = { Env: env, HostConfig: host, Tty: true };
  const [result, container] = (await docker.run(image, args, output, options)) as [
    { StatusCode: number },
    Docker.Container,
  ];
  await container.remove();
  output.end();
  return { code: result.StatusCode, output: await printed };
}

async function loaded(socketPath: string): Promise<Docker> {
  const docker = new Docker({ socketPath });
  for (const program of ["elastic-coordinator", "elastic-agent"]) {
    await finish(docker, await docker.loadImage(createReadStream(fileOf(program, "oci.tar"))));
  }
  return docker;
}

test("two builds have the same bytes and digests", { timeout: 900_000 }, () => {
  const sums = (of: string): string => readFileSync(join(of, "SHA256SUMS.images"), "utf8");
  expect(sums(images).trim().split("\n")).toHaveLength(6);
  expect(sums(makeImages("again"))).toBe(sums(images));
});

test.skipIf(noEngine !== null)("run in an engine as nobody, on a read-only root", { timeout: 300_000 }, async () => {
  await using engine = await startEngine();
  const docker = await loaded(engine.socket);
  const { Config: config } = await docker.getImage(COORDINATOR).inspect();
  expect(config).toMatchObject({ User: "65532:65532", Labels: { "org.opencontainers.image.version": "0.1.0" } });
  expect(await runToEnd(docker, COORDINATOR, ["--version"])).toEqual({ code: 0, output: "0.1.0\r\n" });
  expect(await runToEnd(docker, AGENT, ["--version"])).toEqual({ code: 0, output: "0.1.0\r\n" });
  await using etcd = await startEtcd();
  const env = [`ELASTIC_ETCD=${etcd.endpoint}`, "ELASTIC_BLOBS_DIR=/tmp", "ELASTIC_ARCHIVE=sqlite:/tmp/archive.db"];
  const doctor = await runToEnd(docker, COORDINATOR, ["doctor"], env);
  expect(doctor.output).toContain(etcd.endpoint);
  expect(doctor.output).not.toContain("EROFS: read-only file system, open");
});

test.skipIf(noEngine !== null)(
  "an agent finds every program that it starts in its image",
  { timeout: 300_000 },
  async () => {
    await using engine = await startEngine();
    const docker = await loaded(engine.socket);
    const host: Docker.HostConfig = {
      ...SEALED,
      // Of its unit of systemd.
      CapAdd: [
        "SYS_ADMIN",
        "NET_ADMIN",
        "SETUID",
        "SETGID",
        "SETPCAP",
        "KILL",
        "CHOWN",
        "FOWNER",
        "DAC_OVERRIDE",
        "MKNOD",
      ],
      SecurityOpt: ["seccomp=unconfined", "apparmor=unconfined"],
      PidMode: "host",
      Tmpfs: { "/run": "exec", "/tmp": "", "/var/lib/elastic-agent": "exec" },
      Binds: [`${engine.socket}:/var/run/docker.sock`, "/dev:/dev"],
    };
    const { output } = await runToEnd(docker, AGENT, ["doctor"], ["ELASTIC_BUILDS=1"], host);
    expect(output.match(/^fail +\S+/gm)).toEqual(["fail enrollment"]);
    for (const found of ["nsenter", "socat", "setpriv", "bwrap", "engine"]) expect(output).toMatch(`ok   ${found}`);
    expect(output).not.toContain("libzkaccel.so cannot be used");
  },
);

test.skipIf(noEngine !== null)("a coordinator becomes healthy, and stops in time", { timeout: 300_000 }, async () => {
  await using engine = await startEngine();
  const docker = await loaded(engine.socket);
  await using etcd = await startEtcd();
  const http = `127.0.0.1:${await freePort()}`;
  const container = await docker.createContainer({
    Image: COORDINATOR,
    Env: [
      `ELASTIC_ETCD=${etcd.endpoint}`,
      `ELASTIC_HTTP_LISTEN=${http}`,
      "ELASTIC_GRPC_LISTEN=127.0.0.1:0",
      "ELASTIC_METRICS_LISTEN=127.0.0.1:0",
      "ELASTIC_SHUTDOWN_DELAY=0",
    ],
    HostConfig: { ...SEALED, Tmpfs: { "/var/lib/elastic": "uid=65532,mode=0700" } },
  });
  try {
    await container.start();
    const healthy = async (): Promise<true | undefined> => {
      const { State } = await container.inspect();
      if (!State.Running) throw new Error(`it ended with ${State.ExitCode}`);
      return State.Health?.Status === "healthy" || undefined;
    };
    await until("the coordinator is healthy", healthy, { timeoutMs: HEALTHY_TIMEOUT_MS, everyMs: 500 });
    expect(await (await fetch(`http://${http}/`, { headers: { accept: "text/html" } })).text()).toContain("<html");
    await container.stop({ t: 30 });
    expect((await container.inspect()).State.ExitCode).toBe(0);
  } finally {
    await container.remove({ force: true });
  }
});

test("skopeo pushes them to a registry, with the digest of their provenance", { timeout: 600_000 }, async () => {
  await using registry = await startRegistry();
  const machine = await makeBareRoot(folder, ["skopeo"]);
  for (const program of ["elastic-coordinator", "elastic-agent"]) {
    const inRoot = join(machine.folder, `${program}.tar`);
    execFileSync("cp", [fileOf(program, "oci.tar"), inRoot]);
    const to = `docker://${registry.host}/${program}:0.1.0`;
    const options = ["--insecure-policy", "copy", "--dest-tls-verify=false"];
    await machine.run({}, "skopeo", ...options, `oci-archive:/${program}.tar`, to);
    const pushed = await ociClient(registry.host, null).request("GET", `${program}/manifests/0.1.0`);
    expect(pushed.headers.get("content-type")).toBe(MANIFEST_TYPE);
    expect(pushed.headers.get("docker-content-digest")).toBe(digestOf(program));
  }
});
