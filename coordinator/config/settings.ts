/** Every setting of a coordinator: its variable, its flag, and its default with the reason. */
import { RELEASE_KEYS_FILE } from "@elastic/std/program-release/trusted-keys.ts";

export const ROLES = ["http", "fleet", "scheduler", "webhooks", "ssh"] as const;

export interface Setting {
  readonly env: string;
  /** The variable's name before; read for one release where the new one is not set, with a warning. */
  readonly formerEnv?: string;
  /** A standard variable that is read where this one is not set. */
  readonly standardEnv?: string;
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
    help: "endpoints of etcd, comma-separated",
    // Where etcd listens by default.
    default: "http://127.0.0.1:2379",
  },
  etcdCa: {
    env: "ELASTIC_ETCD_CA",
    flag: "--etcd-ca",
    placeholder: "<file>",
    help: "authority of etcd's certificates, for endpoints with https://; the public ones if left out",
    default: "",
  },
  etcdCert: {
    env: "ELASTIC_ETCD_CERT",
    flag: "--etcd-cert",
    placeholder: "<file>",
    help: "this coordinator's certificate towards etcd; read again when it changes, as are the other files for etcd",
    default: "",
  },
  etcdKey: {
    env: "ELASTIC_ETCD_KEY",
    flag: "--etcd-key",
    placeholder: "<file>",
    help: "its private key",
    default: "",
  },
  etcdUser: {
    env: "ELASTIC_ETCD_USER",
    flag: "--etcd-user",
    placeholder: "<name>",
    help: "as whom this coordinator logs in at etcd; nobody if left out",
    default: "",
  },
  etcdPasswordFile: {
    env: "ELASTIC_ETCD_PASSWORD_FILE",
    flag: "--etcd-password-file",
    placeholder: "<file>",
    help: "file with that user's password",
    // A file, since the variables and flags of a process are shown to others more readily.
    default: "",
  },
  storeIdentityFile: {
    env: "ELASTIC_STORE_IDENTITY_FILE",
    flag: "--store-identity-file",
    placeholder: "<file>",
    help: "what this coordinator knows of etcd's state, to notice one that was emptied or put back; next to --secrets-key-file if left out",
    default: "",
  },
  acceptStore: {
    env: "ELASTIC_ACCEPT_STORE",
    flag: "--accept-store",
    placeholder: "<epoch>",
    help: "continue with an etcd that was emptied or put back, as the epoch that the coordinator names when it refuses it",
    // Never: what was written since would be lost without notice.
    default: "",
  },
  storeNearlyFull: {
    env: "ELASTIC_STORE_NEARLY_FULL",
    flag: "--store-nearly-full",
    placeholder: "<percent>",
    help: "of etcd's quota in use, from which creations are rejected, 10 to 95",
    // What is left is for the ends of what was accepted, and for etcd's history until its compaction.
    default: "70",
  },
  etcdQuota: {
    env: "ELASTIC_ETCD_QUOTA",
    flag: "--etcd-quota",
    placeholder: "<bytes>",
    help: "its --quota-backend-bytes, where etcd is older than 3.6 and does not report it",
    // That of an etcd that is started without the flag.
    default: "2147483648",
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
    help: "address that agents receive; as it listens if left out",
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
  otlpEndpoint: {
    env: "ELASTIC_OTLP_ENDPOINT",
    standardEnv: "OTEL_EXPORTER_OTLP_ENDPOINT",
    flag: "--otlp-endpoint",
    placeholder: "<url>",
    help: "OpenTelemetry collector that receives traces of tasks over HTTP, as http://collector:4318; OTEL_EXPORTER_OTLP_ENDPOINT if left out, else no traces",
    default: "",
  },
  sshListen: {
    env: "ELASTIC_SSH_LISTEN",
    flag: "--ssh-listen",
    placeholder: "<host:port>",
    help: "where users log into shells; nowhere if left out",
    // Nowhere: whether unauthenticated clients may try passwords is a decision.
    default: "",
  },
  sshAdvertise: {
    env: "ELASTIC_SSH_ADVERTISE",
    flag: "--ssh-advertise",
    placeholder: "<host:port>",
    help: "address at which users log into shells, shown by processes without the role ssh too; as it listens if left out",
    default: "",
  },
  publicUrl: {
    env: "ELASTIC_PUBLIC_URL",
    flag: "--public-url",
    placeholder: "<url>",
    help: "base of the links in records; as it listens if left out",
    default: "",
  },
  console: {
    env: "ELASTIC_CONSOLE",
    flag: "--console",
    placeholder: "<on|off>",
    help: "whether the web console is served at /",
    default: "on",
  },
  loginProviders: {
    env: "ELASTIC_LOGIN_PROVIDERS",
    flag: "--login-providers",
    placeholder: "<names>",
    help: "who logs users in to the console, such as github, comma-separated; each has variables, listed below",
    // None: `elastic-coordinator login-link` is enough for one person.
    default: "",
  },
  sourceHosts: {
    env: "ELASTIC_SOURCE_HOSTS",
    flag: "--source-hosts",
    placeholder: "<names>",
    help: "where services may be built from repositories, such as github, comma-separated; each has variables, listed below",
    // None: images are pushed, until someone registers an app at a host.
    default: "",
  },
  backupRecipient: {
    env: "ELASTIC_BACKUP_RECIPIENT",
    flag: "--backup-recipient",
    placeholder: "<key>",
    help: "public key of age (age1…) that `backup` encrypts to; a coordinator that serves does not use it",
    // The private half is the operator's: backup-key makes a pair.
    default: "",
  },
  blobsDir: {
    env: "ELASTIC_BLOBS_DIR",
    flag: "--blobs-dir",
    placeholder: "<dir>",
    help: "directory of large inputs and results and of logs, shared by all coordinators",
    // Where the file hierarchy standard puts a program's state.
    default: "/var/lib/elastic/blobs",
  },
  blobsReserve: {
    env: "ELASTIC_BLOBS_RESERVE",
    flag: "--blobs-reserve",
    placeholder: "<bytes>",
    help: "of the disk of --blobs-dir, reserved for what tasks bring along: files, uploads and fetched inputs leave it free",
    // A hundred of the largest inputs and results that come with a task itself.
    default: "1073741824",
  },
  blobs: {
    env: "ELASTIC_BLOBS",
    flag: "--blobs",
    placeholder: "<place>",
    help: "s3://<bucket>/<prefix> for large inputs and results and for logs; in the directory above if left out",
    default: "",
  },
  s3Endpoint: {
    env: "ELASTIC_S3_ENDPOINT",
    flag: "--s3-endpoint",
    placeholder: "<url>",
    help: "the object store, if it is not Amazon's; its credentials are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    default: "",
  },
  s3Region: {
    env: "ELASTIC_S3_REGION",
    flag: "--s3-region",
    placeholder: "<region>",
    help: "region of the bucket",
    // What stores without regions take.
    default: "us-east-1",
  },
  archive: {
    env: "ELASTIC_ARCHIVE",
    flag: "--archive",
    placeholder: "<place>",
    help: "where ended tasks move to: sqlite:<file> for a single coordinator, or postgres://<user>@<host>/<database>",
    // Needs nothing else; a second coordinator does not start, and its error names PostgreSQL.
    default: "sqlite:/var/lib/elastic/archive.db",
  },
  archiveAfter: {
    env: "ELASTIC_ARCHIVE_AFTER",
    flag: "--archive-after",
    placeholder: "<seconds>",
    help: "how long ended tasks stay in etcd before they move, 5 to 3600",
    // As long as most clients look at a task that has ended.
    default: "600",
  },
  archiveEndedMax: {
    env: "ELASTIC_ARCHIVE_ENDED_MAX",
    flag: "--archive-ended-max",
    placeholder: "<tasks>",
    help: "how many ended tasks stay in etcd at most, 0 to 1000000",
    // Some 200 MiB of etcd.
    default: "50000",
  },
  auditRetention: {
    env: "ELASTIC_AUDIT_RETENTION",
    flag: "--audit-retention",
    placeholder: "<days>",
    help: "how long entries of the audit log are retained, 1 to 3650",
    // As long as usage: a year and a month.
    default: "400",
  },
  secretsKeyFile: {
    env: "ELASTIC_SECRETS_KEY_FILE",
    flag: "--secrets-key-file",
    placeholder: "<file>",
    help: "master keys, shared by all coordinators; created if it does not exist",
    default: "/var/lib/elastic/secrets.key",
  },
  tlsCa: {
    env: "ELASTIC_TLS_CA",
    flag: "--tls-ca",
    placeholder: "<file>",
    help: "certificate of another authority that agents' certificates come from; this service's own if left out",
    // Nothing to make or renew manually: machines are enrolled with join tokens.
    default: "",
  },
  tlsCert: {
    env: "ELASTIC_TLS_CERT",
    flag: "--tls-cert",
    placeholder: "<file>",
    help: "this coordinator's certificate towards agents, with another authority",
    default: "",
  },
  tlsKey: {
    env: "ELASTIC_TLS_KEY",
    flag: "--tls-key",
    placeholder: "<file>",
    help: "its private key",
    default: "",
  },
  enrollListen: {
    env: "ELASTIC_ENROLL_LISTEN",
    flag: "--enroll-listen",
    placeholder: "<host:port>",
    help: "where machines with a join token get their certificate",
    // Nowhere: an installation with another authority, or on one machine, enrolls nobody.
    default: "",
  },
  enrollAdvertise: {
    env: "ELASTIC_ENROLL_ADVERTISE",
    flag: "--enroll-advertise",
    placeholder: "<host:port>",
    help: "address of it in the line to paste; as it listens if left out",
    default: "",
  },
  releasesDir: {
    env: "ELASTIC_RELEASES_DIR",
    flag: "--releases-dir",
    placeholder: "<dir>",
    help: "directory of signed releases that machines install from where they are enrolled, one in each folder of it",
    // Next to its other state; without it machines are enrolled where the agent is installed already.
    default: "/var/lib/elastic/releases",
  },
  releaseKeys: {
    env: "ELASTIC_RELEASE_KEYS",
    flag: "--release-keys",
    placeholder: "<file>",
    help: "public keys of releases, in PEM; those that its package was built with if the file is not there",
    default: RELEASE_KEYS_FILE,
  },
  shutdownDelay: {
    env: "ELASTIC_SHUTDOWN_DELAY",
    flag: "--shutdown-delay",
    placeholder: "<seconds>",
    help: "how long after SIGTERM it still serves while `/readyz` is 503, so that load balancers send nothing new, 0 to 600",
    // Load balancers look every few seconds, and twice before they believe it.
    default: "10",
  },
  certificateLife: {
    env: "ELASTIC_CERTIFICATE_LIFE",
    flag: "--certificate-life",
    placeholder: "<seconds>",
    help: "how long the certificates of nodes last, 10 to 86400; they are renewed at two thirds of it",
    // A stolen one is worth nothing after a day, and a coordinator may be away for eight hours.
    default: "86400",
  },
  registries: {
    env: "ELASTIC_REGISTRIES",
    flag: "--registries",
    placeholder: "<hosts>",
    help: "registries that images may come from, comma-separated; `http://` before one without TLS",
    // None: builtin provers only, until someone says whose images are run.
    default: "",
  },
  registry: {
    env: "ELASTIC_REGISTRY",
    flag: "--registry",
    placeholder: "<host>",
    help: "this service's own registry, as clients and machines reach it; `http://` before one on loopback without TLS",
    // None: images are pushed elsewhere and come from the registries above.
    default: "",
  },
  registryService: {
    env: "ELASTIC_REGISTRY_SERVICE",
    flag: "--registry-service",
    placeholder: "<name>",
    help: "`service` of its token authentication",
    default: "elastic-registry",
  },
  registryIssuer: {
    env: "ELASTIC_REGISTRY_ISSUER",
    flag: "--registry-issuer",
    placeholder: "<name>",
    help: "`issuer` of its token authentication",
    default: "elastic",
  },
  imageRetention: {
    env: "ELASTIC_IMAGE_RETENTION",
    flag: "--image-retention",
    placeholder: "<days>",
    help: "how long images stay in this service's own registry while nothing uses them, 1 to 3650, or never: none is deleted",
    // Long enough for a push before a holiday to be deployed after it.
    default: "7",
  },
  shellImages: {
    env: "ELASTIC_SHELL_IMAGES",
    flag: "--shell-images",
    placeholder: "<names>",
    help: "images that shells may have, as comma-separated name=reference, the default first",
    // None: no shells, until someone says what is in them.
    default: "",
  },
  poolCommands: {
    env: "ELASTIC_POOL_COMMANDS",
    flag: "--pool-commands",
    placeholder: "<names>",
    help: "programs that add machines to pools and remove them, as comma-separated name=/absolute/path",
    // None: an operator of the API alone starts no program on this machine.
    default: "",
  },
  shellEgress: {
    env: "ELASTIC_SHELL_EGRESS",
    flag: "--shell-egress",
    placeholder: "<rules>",
    help: "where shells that request it may connect: host:port, *.domain or *, comma-separated",
    // Nowhere: as provers.
    default: "",
  },
  trustedProxies: {
    env: "ELASTIC_TRUSTED_PROXIES",
    flag: "--trusted-proxies",
    placeholder: "<ranges>",
    help: "address ranges of proxies before the HTTP API, comma-separated: X-Forwarded-For of their requests names the client",
    // None: a client that writes the header itself would evade the limits of its address.
    default: "",
  },
  egressAllow: {
    env: "ELASTIC_EGRESS_ALLOW",
    flag: "--egress-allow",
    placeholder: "<rules>",
    help: "where users' URLs may lead in addition to public addresses: address ranges and host:port, comma-separated",
    // Nowhere: what is not public is this installation's own.
    default: "",
  },
  rateKeyReads: {
    env: "ELASTIC_RATE_KEY_READS",
    flag: "--rate-key-reads",
    placeholder: "<per second>",
    help: "reads of one access key; burst of ten times the rate",
    // A hundred clients that send five requests a second each.
    default: "500",
  },
  rateKeyWrites: {
    env: "ELASTIC_RATE_KEY_WRITES",
    flag: "--rate-key-writes",
    placeholder: "<per second>",
    help: "creations and changes by one access key; burst of ten times the rate",
    default: "200",
  },
  rateTeamReads: {
    env: "ELASTIC_RATE_TEAM_READS",
    flag: "--rate-team-reads",
    placeholder: "<per second>",
    help: "reads of all keys of a team; burst of ten times the rate",
    // Of several busy keys at a time.
    default: "2000",
  },
  rateTeamWrites: {
    env: "ELASTIC_RATE_TEAM_WRITES",
    flag: "--rate-team-writes",
    placeholder: "<per second>",
    help: "creations and changes by all keys of a team; burst of ten times the rate",
    default: "1000",
  },
  rateUnauthenticated: {
    env: "ELASTIC_RATE_UNAUTHENTICATED",
    formerEnv: "ELASTIC_RATE_STRANGERS",
    flag: "--rate-unauthenticated",
    placeholder: "<per second>",
    help: "requests of one address without a valid access key; burst of ten times the rate",
    // Enough for a mistyped key in a script that tries again.
    default: "20",
  },
  roles: {
    env: "ELASTIC_ROLES",
    flag: "--roles",
    placeholder: "<roles>",
    help: `what this process does, of ${ROLES.join(", ")}`,
    default: ROLES.join(","),
  },
  taskLogBytesMax: {
    env: "ELASTIC_TASK_LOG_BYTES_MAX",
    flag: "--task-log-bytes-max",
    placeholder: "<bytes>",
    help: "how much of what a prover writes during one attempt is retained; 0 for nothing",
    // Enough for a talkative prover, and 100,000 such logs fit a disk.
    default: "4194304",
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
