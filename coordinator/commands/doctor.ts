/** `elastic-coordinator doctor`: looks at everything a coordinator needs and says what to do about what is missing. */
import { KVService } from "@elastic/proto/gen/etcd/kv.ts";
import { type AlarmMember, AlarmType, MaintenanceService } from "@elastic/proto/gen/etcd/maintenance.ts";
import { type Check, checkText, fail, ok, warn } from "@elastic/std/check.ts";
import { createLog } from "@elastic/std/log.ts";
import { Command } from "commander";
import { decodePublication } from "../clocks/clock-publication.ts";
import { type Config, ConfigError, loadConfig } from "../config/config.ts";
import { etcdAccessOf } from "../config/etcd-access.ts";
import { checkAuthority, checkCertificateFile } from "../doctor/certificate-checks.ts";
import { checkClocks } from "../doctor/clock-checks.ts";
import { checkIdentity } from "../doctor/identity-checks.ts";
import { checkMember } from "../doctor/member-checks.ts";
import { type BlobsOwner, checkArchive, checkBlobs, checkRegistry, checkRoom } from "../doctor/place-checks.ts";
import { checkSchema } from "../doctor/schema-checks.ts";
import { readArchiveClaim } from "../store/archive-claim.ts";
import { readAuthorityRecord } from "../store/authority-claim.ts";
import type { CoordinatorFacts } from "../store/coordinators.ts";
import { connectClients, type EtcdClients } from "../store/etcd/etcd-clients.ts";
import { EtcdCredentials } from "../store/etcd/etcd-credentials.ts";
import { endOf, headerOf, rangeOf, toEntry } from "../store/etcd/etcd-messages.ts";
import { readMemberStatus } from "../store/etcd/read-member-status.ts";
import type { FoundStore } from "../store/identity/compare-store.ts";
import { readIdentity } from "../store/identity/identity-file.ts";
import { metaOf } from "../store/identity/meta.ts";
import { CLOCKS_PREFIX, COORDINATOR_FACTS_PREFIX, META_KEY } from "../store/keys.ts";
import type { Kv } from "../store/kv.ts";
import { refuseRestoring, StoreRestoringError } from "../store/refuse-restoring.ts";
import { identityFileOf } from "./backup-access.ts";
import type { CommandContext } from "./command-context.ts";
import { etcdAdvice } from "./etcd-advice.ts";
import { examples } from "./examples.ts";

const log = createLog({ name: "elastic-coordinator", level: "silent" });
/** Coordinators of an installation. */
const RUNNING_MAX = 100;

export function doctorCommand(context: CommandContext): Command {
  return new Command("doctor")
    .description("check everything a coordinator needs and say what to do; exits 1 when it cannot run")
    .option("--json", "as one line of JSON")
    .addHelpText(
      "after",
      `
Give it the variables of serve, on the machine where that runs: ELASTIC_ETCD and those of its certificates and user,
ELASTIC_SECRETS_KEY_FILE, ELASTIC_STORE_IDENTITY_FILE, ELASTIC_BLOBS or ELASTIC_BLOBS_DIR, ELASTIC_ARCHIVE, ELASTIC_REGISTRY,
ELASTIC_TLS_CA. All of them: elastic-coordinator serve --help.
${examples("elastic-coordinator doctor", "elastic-coordinator doctor --json | jq .healthy")}`,
    )
    .action(async ({ json }: { readonly json?: true }) => {
      const checks = await allChecks(context.env);
      const healthy = checks.every(({ level }) => level !== "fail");
      context.print(json ? JSON.stringify({ healthy, checks }) : checks.map(checkText).join("\n"));
      process.exit(healthy ? 0 : 1);
    });
}

async function allChecks(env: CommandContext["env"]): Promise<readonly Check[]> {
  let config: Config;
  try {
    config = loadConfig(env, {});
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [fail("settings", error.message, "see elastic-coordinator serve --help")];
  }
  const nowMs = Date.now();
  const registries = config.registry === null ? config.registries : [config.registry, ...config.registries];
  const { etcd, meta } = await checkEtcd(config);
  return [
    ok("settings", "complete"),
    ...etcd,
    ...(meta === null ? [] : await checkBytes(config, meta)),
    await checkArchive(config.archive, log),
    ...(await Promise.all(registries.map(checkRegistry))),
    ...checkCertificateFile("ELASTIC_ETCD_CA", config.etcdCa, nowMs),
    ...checkCertificateFile("ELASTIC_ETCD_CERT", config.etcdCert, nowMs),
    ...checkCertificateFile("ELASTIC_TLS_CA", config.tlsCa, nowMs),
    ...checkCertificateFile("ELASTIC_TLS_CERT", config.tlsCert, nowMs),
  ];
}

async function checkBytes({ blobs, blobsDir, blobsReserve }: Config, owner: BlobsOwner): Promise<readonly Check[]> {
  if (blobs === null) return [await checkBlobs(blobsDir, owner), ...(await checkRoom(blobsDir, blobsReserve))];
  return [ok("blobs", `in the bucket ${blobs.bucket}, compared with the store when a coordinator starts`)];
}

interface CheckedEtcd {
  readonly etcd: readonly Check[];
  /** Null where etcd could not be read; its id is null where no coordinator has started on it yet. */
  readonly meta: BlobsOwner | null;
}

async function checkEtcd(config: Config): Promise<CheckedEtcd> {
  let credentials: EtcdCredentials;
  try {
    credentials = new EtcdCredentials({ ...etcdAccessOf(config), log });
  } catch (error) {
    return { etcd: [fail("etcd", (error as Error).message, "correct the setting that it names")], meta: null };
  }
  const members = await Promise.all(config.etcd.map((endpoint) => checkOne(endpoint, credentials)));
  const store = await checkStore(config, credentials);
  return { etcd: [...members.flat(), ...store.etcd], meta: store.meta };
}

/** One member that is away is no failure while the others serve, which the store's check finds out. */
async function checkOne(endpoint: string, credentials: EtcdCredentials): Promise<readonly Check[]> {
  try {
    return checkMember(endpoint, await readMemberStatus(endpoint, credentials.tls()), Date.now());
  } catch (error) {
    const { message } = error as Error;
    const remedy = etcdAdvice(message, [endpoint]) ?? "start it, or correct ELASTIC_ETCD";
    return [warn("etcd", `${endpoint} does not respond: ${message.split("\n", 1)[0]}`, remedy)];
  }
}

async function checkStore(config: Config, credentials: EtcdCredentials): Promise<CheckedEtcd> {
  const clients = connectClients(config.etcd, credentials);
  try {
    const get = async (key: string) => {
      const response = await clients.reads.call(KVService.range, rangeOf(Buffer.from(key)));
      const [kv] = response.kvs;
      return { header: headerOf(response), entry: kv === undefined ? null : toEntry(kv) };
    };
    const find = async (key: string) => (await get(key)).entry;
    const { header, entry } = await get(META_KEY);
    const meta = metaOf(entry);
    const identity = await checkKnown(config, { ...header, installation: meta });
    const read = async (keys: readonly string[]) => ({ revision: 0, entries: await Promise.all(keys.map(find)) });
    const authority = await readAuthorityRecord({ read });
    const finding = meta === null ? "no coordinator has started on it yet" : `epoch ${meta.epoch}`;
    const { alarms } = await clients.reads.call(MaintenanceService.alarm, {});
    const raised = alarms.map(describeAlarm);
    const alarmCheck =
      raised.length === 0
        ? ok("alarms", "none")
        : fail("alarms", raised.join(", "), "make room (docs/operators.md, At night), then etcdctl alarm disarm");
    const clocks = await checkRunning(clients);
    const authorities = authority === null ? [] : [checkAuthority(authority.certificate, Date.now())];
    return {
      etcd: [
        ok("store", finding),
        ...checkSchema(meta),
        identity,
        ...(await checkRestoring({ read })),
        alarmCheck,
        ...clocks,
        ...authorities,
      ],
      meta: { storeId: meta?.blobStoreId ?? null, hasServed: (await readArchiveClaim({ read })) !== null },
    };
  } catch (error) {
    const { message } = error as Error;
    const remedy = etcdAdvice(message, config.etcd) ?? "start most of etcd's members, or correct ELASTIC_ETCD";
    return { etcd: [fail("store", `it cannot be read: ${message.split("\n", 1)[0]}`, remedy)], meta: null };
  } finally {
    clients.close();
  }
}

/** With what this machine knows, as at a start. */
async function checkKnown(config: Config, found: FoundStore): Promise<Check> {
  const file = identityFileOf(config);
  try {
    return checkIdentity({ file, known: await readIdentity(file), found, acceptAs: config.acceptStore });
  } catch (error) {
    const remedy = "let this user read it, or name another file (ELASTIC_STORE_IDENTITY_FILE)";
    return fail("identity", (error as Error).message, remedy);
  }
}

async function checkRestoring(kv: Pick<Kv, "read">): Promise<readonly Check[]> {
  try {
    await refuseRestoring(kv);
    return [];
  } catch (error) {
    if (!(error instanceof StoreRestoringError)) throw error;
    return [fail("restore", error.message, "end the restore: no coordinator starts before")];
  }
}

function describeAlarm({ alarm, memberId }: AlarmMember): string {
  const name = Object.entries(AlarmType).find(([, value]) => value === alarm)?.[0] ?? String(alarm);
  return `${name} of member ${memberId.toString(16)}`;
}

/** What the running coordinators say of the clocks of their machines. */
async function checkRunning({ reads }: EtcdClients): Promise<readonly Check[]> {
  const valuesUnder = async (prefix: string): Promise<readonly Buffer[]> => {
    const { kvs } = await reads.call(KVService.range, {
      ...rangeOf(Buffer.from(prefix)),
      rangeEnd: endOf(prefix),
      limit: BigInt(RUNNING_MAX),
    });
    return kvs.map(({ value }) => value);
  };
  const facts = (await valuesUnder(COORDINATOR_FACTS_PREFIX)).map(
    (value) => JSON.parse(value.toString()) as CoordinatorFacts,
  );
  const publications = (await valuesUnder(CLOCKS_PREFIX)).flatMap((value) => decodePublication(value) ?? []);
  return checkClocks(publications, (id) => facts.find((one) => one.id === id)?.grpcAddress ?? null);
}
