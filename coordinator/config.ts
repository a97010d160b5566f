/**
 * Every setting of the coordinator: its variable, its flag, its default and why. Read once at the start; flags go
 * before variables, and an empty variable is one that is not set.
 */
import { z } from "zod";

export const ROLES = ["http", "fleet", "scheduler"] as const;
export type Role = (typeof ROLES)[number];

export interface Setting {
  readonly env: string;
  readonly flag: string;
  readonly placeholder: string;
  readonly help: string;
  readonly default: string;
}

export const SETTINGS = {
  etcd: {
    env: "ELASTIC_ETCD",
    flag: "--etcd",
    placeholder: "<urls>",
    help: "endpoints of etcd, parted by commas",
    // Where etcd listens when it is told nothing.
    default: "http://127.0.0.1:2379",
  },
  httpListen: {
    env: "ELASTIC_HTTP_LISTEN",
    flag: "--http-listen",
    placeholder: "<host:port>",
    help: "where the public API listens",
    // Loopback: a proxy with TLS stands before it.
    default: "127.0.0.1:8080",
  },
  grpcListen: {
    env: "ELASTIC_GRPC_LISTEN",
    flag: "--grpc-listen",
    placeholder: "<host:port>",
    help: "where agents connect",
    // Loopback, so that opening it to machines is a decision.
    default: "127.0.0.1:8443",
  },
  grpcAdvertise: {
    env: "ELASTIC_GRPC_ADVERTISE",
    flag: "--grpc-advertise",
    placeholder: "<host:port>",
    help: "address that agents are told; as it listens if left out",
    default: "",
  },
  metricsListen: {
    env: "ELASTIC_METRICS_LISTEN",
    flag: "--metrics-listen",
    placeholder: "<host:port>",
    help: "where Prometheus scrapes /metrics",
    // Loopback: figures of all teams are no one team's business.
    default: "127.0.0.1:9464",
  },
  publicUrl: {
    env: "ELASTIC_PUBLIC_URL",
    flag: "--public-url",
    placeholder: "<url>",
    help: "base of the links in records; as it listens if left out",
    default: "",
  },
  blobsDir: {
    env: "ELASTIC_BLOBS_DIR",
    flag: "--blobs-dir",
    placeholder: "<dir>",
    help: "directory of large inputs and results, shared by all coordinators",
    // Where the file hierarchy standard puts a program's state.
    default: "/var/lib/elastic/blobs",
  },
  secretsKeyFile: {
    env: "ELASTIC_SECRETS_KEY_FILE",
    flag: "--secrets-key-file",
    placeholder: "<file>",
    help: "master keys, shared by all coordinators; made if it is not there",
    default: "/var/lib/elastic/secrets.key",
  },
  tlsCa: {
    env: "ELASTIC_TLS_CA",
    flag: "--tls-ca",
    placeholder: "<file>",
    help: "certificate of the authority that agents' certificates come from",
    default: "",
  },
  tlsCert: {
    env: "ELASTIC_TLS_CERT",
    flag: "--tls-cert",
    placeholder: "<file>",
    help: "this coordinator's certificate towards agents",
    default: "",
  },
  tlsKey: {
    env: "ELASTIC_TLS_KEY",
    flag: "--tls-key",
    placeholder: "<file>",
    help: "its private key",
    default: "",
  },
  registries: {
    env: "ELASTIC_REGISTRIES",
    flag: "--registries",
    placeholder: "<hosts>",
    help: "registries that images may come from, parted by commas; `http://` before one without TLS",
    // None: builtin provers only, until someone says whose images are run.
    default: "",
  },
  roles: {
    env: "ELASTIC_ROLES",
    flag: "--roles",
    placeholder: "<roles>",
    help: `what this process does, of ${ROLES.join(", ")}`,
    default: ROLES.join(","),
  },
  logLevel: {
    env: "ELASTIC_LOG_LEVEL",
    flag: "--log-level",
    placeholder: "<level>",
    help: "trace, debug, info, warn, error or silent",
    // One line a task, and whatever goes wrong.
    default: "info",
  },
  builtinTestProvers: {
    env: "ELASTIC_BUILTIN_TEST_PROVERS",
    flag: "--builtin-test-provers",
    placeholder: "<0|1>",
    help: "whether noop, clock, echo, sleep and crash can be deployed",
    default: "0",
  },
} as const satisfies Readonly<Record<string, Setting>>;

export type SettingName = keyof typeof SETTINGS;

const listen = z.string().transform((text, context) => {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:[\]]+):(\d{1,5})$/.exec(text);
  const port = Number(match?.[2]);
  if (match?.[1] !== undefined && port <= 65_535) return { host: match[1].replace(/^\[|\]$/g, ""), port };
  context.addIssue(`${JSON.stringify(text)} is not host:port`);
  return z.NEVER;
});

const list = z.string().transform((text) =>
  text
    .split(",")
    .map((one) => one.trim())
    .filter((one) => one !== ""),
);

const optional = z.string().transform((text) => (text === "" ? null : text));

const registry = z.string().transform((text, context) => {
  const match = /^(https?:\/\/)?([A-Za-z0-9.-]+(?::\d{1,5})?)\/?$/.exec(text);
  if (match?.[2] !== undefined) return { host: match[2], base: `${match[1] ?? "https://"}${match[2]}` };
  context.addIssue(`${JSON.stringify(text)} is not a registry's host:port`);
  return z.NEVER;
});

const configSchema = z
  .object({
    etcd: list.pipe(z.array(z.url({ protocol: /^https?$/, error: "is not a list of URLs" })).min(1)),
    httpListen: listen,
    grpcListen: listen,
    grpcAdvertise: optional,
    metricsListen: listen,
    publicUrl: optional.pipe(z.url({ protocol: /^https?$/, error: "is not a URL" }).nullable()).transform(withoutSlash),
    blobsDir: z.string(),
    secretsKeyFile: z.string(),
    tlsCa: optional,
    tlsCert: optional,
    tlsKey: optional,
    registries: list.pipe(z.array(registry)),
    roles: list.pipe(z.array(z.enum(ROLES, { error: `is not a list of ${ROLES.join(", ")}` })).min(1)),
    logLevel: z.enum(["trace", "debug", "info", "warn", "error", "silent"], { error: "is not a level" }),
    builtinTestProvers: z.enum(["0", "1", "true", "false"]).transform((text) => text === "1" || text === "true"),
  })
  .superRefine((config, context) => {
    if (config.roles.includes("scheduler") && !config.roles.includes("fleet")) {
      const message = "scheduler needs fleet beside it: the leader commands the agents";
      context.addIssue({ code: "custom", path: ["roles"], message });
    }
    if (!config.roles.includes("fleet")) return;
    for (const name of ["tlsCa", "tlsCert", "tlsKey"] as const) {
      if (config[name] === null) context.addIssue({ code: "custom", path: [name], message: "is needed for agents" });
    }
  })
  .readonly();

export type Config = z.output<typeof configSchema>;

/** What is wrong, in one line that names each setting by its variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** `flags` holds what the command line said, by the settings' names. */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  flags: Readonly<Partial<Record<SettingName, string>>>,
): Config {
  const raw = Object.fromEntries(
    Object.entries(SETTINGS).map(([name, { env: variable, default: byDefault }]) => [
      name,
      flags[name as SettingName] ?? nonEmpty(env[variable]) ?? byDefault,
    ]),
  );
  const parsed = configSchema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const wrong = parsed.error.issues.map(({ path, message }) => {
    const setting = SETTINGS[path[0] as SettingName];
    return `${setting.env} (${setting.flag}) ${message}`;
  });
  throw new ConfigError(wrong.join("; "));
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function withoutSlash(url: string | null): string | null {
  return url?.replace(/\/+$/, "") ?? null;
}
