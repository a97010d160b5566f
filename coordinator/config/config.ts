/**
 * The settings of a coordinator as it was started with them. Read once at the start; flags go before variables, and
 * an empty variable is one that is not set.
 */
import { z } from "zod";
import { isProviderName, type ProviderSettings, readProviders } from "../login/provider-settings.ts";
import { isSourceName, readSourceHosts, type SourceSettings } from "../source-hosts/source-settings.ts";
import { etcdAccessIssues } from "./etcd-access.ts";
import {
  addressRange,
  advertised,
  allowRule,
  archive,
  daysOrNever,
  egressRule,
  list,
  listen,
  logBytes,
  optional,
  ownRegistry,
  perSecond,
  poolCommand,
  registry,
  s3Location,
  shellImage,
  wholeNumber,
} from "./setting-formats.ts";
import { ROLES, SETTINGS, type Setting, type SettingName } from "./settings.ts";

const configSchema = z
  .object({
    etcd: list.pipe(z.array(z.url({ protocol: /^https?$/, error: "is not a list of URLs" })).min(1)),
    etcdCa: optional,
    etcdCert: optional,
    etcdKey: optional,
    etcdUser: optional,
    etcdPasswordFile: optional,
    storeIdentityFile: optional,
    acceptStore: optional.pipe(wholeNumber(1, 1_000_000_000).nullable()),
    storeNearlyFull: wholeNumber(10, 95),
    etcdQuota: wholeNumber(1024 * 1024, 1024 ** 4),
    httpListen: listen,
    grpcListen: listen,
    grpcAdvertise: optional.pipe(advertised.nullable()),
    metricsListen: listen,
    otlpEndpoint: optional.pipe(z.url({ protocol: /^https?$/, error: "is not a URL" }).nullable()),
    sshListen: optional.pipe(listen.nullable()),
    sshAdvertise: optional.pipe(advertised.pipe(listen).nullable()),
    publicUrl: optional.pipe(z.url({ protocol: /^https?$/, error: "is not a URL" }).nullable()).transform(withoutSlash),
    console: z.enum(["on", "off"], { error: "is neither on nor off" }).transform((text) => text === "on"),
    loginProviders: list.pipe(z.array(z.string().refine(isProviderName, { error: "has a name that none can have" }))),
    sourceHosts: list.pipe(z.array(z.string().refine(isSourceName, { error: "has a name that none can have" }))),
    backupRecipient: optional,
    blobsDir: z.string(),
    blobsReserve: wholeNumber(0, 999_999_999_999),
    blobs: optional.pipe(s3Location.nullable()),
    s3Endpoint: optional.pipe(z.url({ protocol: /^https?$/, error: "is not a URL" }).nullable()),
    s3Region: z.string(),
    archive,
    archiveAfter: wholeNumber(5, 3600),
    auditRetention: wholeNumber(1, 3650),
    archiveEndedMax: wholeNumber(0, 1_000_000),
    secretsKeyFile: z.string(),
    tlsCa: optional,
    tlsCert: optional,
    tlsKey: optional,
    enrollListen: optional.pipe(listen.nullable()),
    enrollAdvertise: optional.pipe(advertised.nullable()),
    releasesDir: z.string(),
    releaseKeys: z.string(),
    shutdownDelay: wholeNumber(0, 600),
    certificateLife: wholeNumber(10, 86_400),
    registries: list.pipe(z.array(registry)),
    registry: optional.pipe(ownRegistry.nullable()),
    registryService: z.string(),
    registryIssuer: z.string(),
    imageRetention: daysOrNever(3650),
    shellImages: list.pipe(z.array(shellImage)).transform((pairs) => new Map(pairs)),
    poolCommands: list.pipe(z.array(poolCommand)).transform((pairs) => new Map(pairs)),
    shellEgress: list.pipe(z.array(egressRule)),
    trustedProxies: list.pipe(z.array(addressRange)),
    egressAllow: list.pipe(z.array(allowRule)),
    rateKeyReads: perSecond,
    rateKeyWrites: perSecond,
    rateTeamReads: perSecond,
    rateTeamWrites: perSecond,
    rateUnauthenticated: perSecond,
    roles: list.pipe(z.array(z.enum(ROLES, { error: `is not a list of ${ROLES.join(", ")}` })).min(1)),
    taskLogBytesMax: logBytes,
    logLevel: z.enum(["trace", "debug", "info", "warn", "error", "silent"], { error: "is not a level" }),
    builtinTestProvers: z.enum(["0", "1", "true", "false"]).transform((text) => text === "1" || text === "true"),
  })
  .superRefine((config, context) => {
    for (const { setting, message } of etcdAccessIssues(config)) {
      context.addIssue({ code: "custom", path: [setting], message });
    }
    if (config.roles.includes("scheduler") && !config.roles.includes("fleet")) {
      const message = "scheduler requires fleet in the same process: the leader commands the agents";
      context.addIssue({ code: "custom", path: ["roles"], message });
    }
    if (config.sshListen === null && config.roles.every((role) => role === "ssh")) {
      const message = "is needed where ssh is the only role: there would be nothing to do";
      context.addIssue({ code: "custom", path: ["sshListen"], message });
    }
    if (config.roles.includes("webhooks") && !config.roles.includes("http") && config.publicUrl === null) {
      const message = "is required for webhooks without http in the same process: deliveries contain links";
      context.addIssue({ code: "custom", path: ["publicUrl"], message });
    }
    const tls = ["tlsCa", "tlsCert", "tlsKey"] as const;
    for (const name of tls) {
      if (config[name] !== null || tls.every((one) => config[one] === null)) continue;
      context.addIssue({
        code: "custom",
        path: [name],
        message: "is required together with the others of ELASTIC_TLS_*",
      });
    }
    if (config.enrollListen !== null && config.tlsCa !== null) {
      const message = "cannot be combined with ELASTIC_TLS_CA: machines are enrolled by this service's own authority";
      context.addIssue({ code: "custom", path: ["enrollListen"], message });
    }
  })
  .readonly();

export type Config = Omit<z.output<typeof configSchema>, "loginProviders" | "sourceHosts"> & {
  readonly loginProviders: readonly ProviderSettings[];
  readonly sourceHosts: readonly SourceSettings[];
};

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
    Object.entries<Setting>(SETTINGS).map(([name, { env: variable, formerEnv, standardEnv, default: byDefault }]) => [
      name,
      flags[name as SettingName] ??
        nonEmpty(env[variable]) ??
        nonEmpty(env[formerEnv ?? ""]) ??
        nonEmpty(env[standardEnv ?? ""]) ??
        byDefault,
    ]),
  );
  const parsed = configSchema.safeParse(raw);
  if (parsed.success) return withNamed(env, parsed.data);
  const wrong = parsed.error.issues.map(({ path, message }) => {
    const setting = SETTINGS[path[0] as SettingName];
    return `${setting.env} (${setting.flag}) ${message}`;
  });
  throw new ConfigError(wrong.join("; "));
}

/** A line for each variable in `env` that has another name now. */
export function formerVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  return Object.values<Setting>(SETTINGS)
    .filter(({ formerEnv }) => nonEmpty(env[formerEnv ?? ""]) !== undefined)
    .map((setting) => `${setting.formerEnv} is now ${setting.env}; the next release reads the new name only`);
}

/** The settings of each provider and source host are variables alone: how many there are is a setting itself. */
function withNamed(env: Readonly<Record<string, string | undefined>>, config: z.output<typeof configSchema>): Config {
  try {
    const loginProviders = readProviders(env, config.loginProviders);
    return Object.freeze({ ...config, loginProviders, sourceHosts: readSourceHosts(env, config.sourceHosts) });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error));
  }
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function withoutSlash(url: string | null): string | null {
  return url?.replace(/\/+$/, "") ?? null;
}
