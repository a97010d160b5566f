/** How BuildKit is set up within its sandbox, and what is requested of it. Pure. */
import type { BuildSpec } from "../../domain/build-spec.ts";

/** Places within the sandbox. */
export const SANDBOX = {
  programs: "/opt/buildkit",
  /** Layers, on the team's disk. */
  state: "/var/lib/buildkit",
  source: "/job/source",
  /** The folder of the build file. */
  file: "/job/file",
  out: "/job/out",
  socket: "/run/buildkitd.sock",
  config: "/job/file/buildkitd.toml",
} as const;

/** A registry that exists in the sandbox only: the agent's proxy responds for it. */
export const GATEWAY_HOST = "registry.elastic.internal";
const PROXY_URL = "http://127.0.0.1:3128";

/** Left free on the team's disk for the build that runs, in hundredths of the disk. */
const CACHE_PERCENT_MAX = 60;

export interface CacheBound {
  readonly diskBytes: number;
}

/** Images of `ownRegistry`, and of Docker Hub by name, are requested of the gateway first. */
export function buildkitdToml({ diskBytes }: CacheBound, ownRegistry: string | null): string {
  const cacheBytes = Math.floor((diskBytes * CACHE_PERCENT_MAX) / 100);
  const mirrored = [...(ownRegistry === null ? [] : [ownRegistry]), "docker.io"];
  return [
    `root = ${JSON.stringify(SANDBOX.state)}`,
    "[grpc]",
    `address = [${JSON.stringify(`unix://${SANDBOX.socket}`)}]`,
    "[worker.containerd]",
    "enabled = false",
    "[worker.oci]",
    "enabled = true",
    "rootless = true",
    'snapshotter = "overlayfs"',
    // That of the sandbox, which has a loopback device only.
    'networkMode = "host"',
    "gc = true",
    "[[worker.oci.gcpolicy]]",
    "all = true",
    `maxUsedSpace = ${cacheBytes}`,
    ...mirrored.flatMap((host) => [
      `[registry.${JSON.stringify(host)}]`,
      `mirrors = [${JSON.stringify(GATEWAY_HOST)}]`,
    ]),
    `[registry.${JSON.stringify(GATEWAY_HOST)}]`,
    "http = true",
    "",
  ].join("\n");
}

/** Steps find the proxy by these; BuildKit leaves them out of what a cached layer is known by. */
const PROXY_ARGS = ["HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"].map((name) => `${name}=${PROXY_URL}`);
const NO_PROXY_ARGS = ["NO_PROXY=localhost,127.0.0.1", "no_proxy=localhost,127.0.0.1"];

export function buildctlArguments(spec: Pick<BuildSpec, "buildArgs" | "target" | "noCache">): readonly string[] {
  const args = [
    ...PROXY_ARGS,
    ...NO_PROXY_ARGS,
    ...Object.entries(spec.buildArgs).map(([name, value]) => `${name}=${value}`),
  ];
  const options = [
    "filename=Dockerfile",
    "platform=linux/amd64",
    ...args.map((each) => `build-arg:${each}`),
    ...(spec.target === "" ? [] : [`target=${spec.target}`]),
  ];
  return [
    `${SANDBOX.programs}/buildctl`,
    `--addr=unix://${SANDBOX.socket}`,
    "build",
    "--progress=plain",
    "--frontend=dockerfile.v0",
    `--local=context=${SANDBOX.source}`,
    `--local=dockerfile=${SANDBOX.file}`,
    ...options.map((option) => `--opt=${option}`),
    ...(spec.noCache ? ["--no-cache"] : []),
    `--output=type=oci,tar=false,dest=${SANDBOX.out}`,
  ];
}
