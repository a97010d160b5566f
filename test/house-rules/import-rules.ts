/** Who may import whom. One row a rule; what no row forbids is allowed. */

export interface ImportRule {
  /** Files that the rule is about. */
  readonly from: RegExp;
  /** Of those, the ones it leaves alone. */
  readonly except?: RegExp;
  /** Whether it holds for tests too; default true. */
  readonly tests?: boolean;
  /** What they may not import. */
  readonly never: RegExp;
  /** Of that, what they may. */
  readonly but?: RegExp;
  readonly because: string;
}

/** Any file of this repository. */
const HERE = /^(?!npm:|node:)/;
const only = (...folders: readonly string[]): RegExp => new RegExp(`^(${folders.join("|")})/`);

/** What the JSON of the coordinator is made of: records, the view in which names are looked up, and what is in memory. */
const SHOWN = [
  "public",
  "domain",
  "store",
  "auth",
  "blobs",
  "nodes",
  "progress",
  "secrets",
  "series",
  "source-hosts",
  "task-logs",
];

const SIBLINGS = ["http", "fleet", "scheduler", "webhooks", "shells"];

export const IMPORT_RULES: readonly ImportRule[] = [
  { from: /^std\//, tests: false, never: HERE, but: only("std"), because: "std is a leaf" },
  { from: /^proto\//, never: HERE, but: only("proto"), because: "the contract knows neither side" },
  {
    from: /^coordinator\//,
    tests: false,
    never: HERE,
    but: only("coordinator", "proto", "std"),
    because: "the coordinator imports proto and std only",
  },
  {
    from: /^agent\//,
    tests: false,
    never: HERE,
    but: only("agent", "proto", "std"),
    because: "the agent imports proto and std only",
  },
  {
    from: /^cli\//,
    tests: false,
    never: HERE,
    // Texts for people, without dependencies, which the console has too.
    but: /^(cli\/|clients\/typescript\/|proto\/build-failure-advice\.ts$)/,
    because: "the user's command speaks HTTP only",
  },
  {
    from: /^clients\//,
    tests: false,
    never: /^(?!clients\/)/,
    because: "what users install depends on nothing, and runs in browsers too",
  },
  {
    from: /^console\//,
    tests: false,
    never: HERE,
    but: /^(console\/|clients\/typescript\/gen\/schema\.ts$|proto\/build-failure-advice\.ts$)/,
    because: "the console speaks HTTP only, by the types of its OpenAPI document",
  },
  { from: /^coordinator\//, never: /^(agent|cli)\//, because: "the two sides meet over the wire only" },
  { from: /^agent\//, never: /^(coordinator|cli)\//, because: "the two sides meet over the wire only" },
  { from: /^cli\//, never: /^(coordinator|agent)\//, because: "the user's command speaks HTTP only" },
  {
    from: /^(std|proto|coordinator|agent|cli)\//,
    tests: false,
    never: /^(test|deploy|bench)\//,
    because: "only tests may import the harness",
  },
  {
    from: /^test\/checker\//,
    tests: false,
    never: /^(?!node:|test\/checker\/)/,
    because: "whoever has Node and this folder can judge a history",
  },
  { from: /^deploy\//, tests: false, never: /^(test|bench)\//, because: "what is deployed does not need the tests" },
  {
    from: /^coordinator\/domain\//,
    tests: false,
    never: /^(?!coordinator\/domain\/|std\/)/,
    // A list without dependencies, which agents have too.
    but: /^proto\/failure-reasons\.ts$/,
    because: "the domain is pure",
  },
  {
    from: /^coordinator\/public\//,
    tests: false,
    never: HERE,
    but: new RegExp(`^(std|proto|coordinator/(${SHOWN.join("|")}))/`),
    because: "http and webhooks show the same JSON, which knows neither",
  },
  {
    from: new RegExp(`^coordinator/(${SHOWN.slice(1).join("|")}|fleet|scheduler|shells)/`),
    tests: false,
    never: /^coordinator\/public\//,
    because: "public names are for whoever shows records to clients",
  },
  {
    from: /^agent\/domain\//,
    tests: false,
    never: /^(?!agent\/domain\/|std\/|proto\/)/,
    because: "the agent's domain is its ground floor: pure, and below every other folder",
  },
  ...SIBLINGS.map((sibling) => ({
    from: new RegExp(`^coordinator/${sibling}/`),
    tests: false,
    never: new RegExp(`^coordinator/(${SIBLINGS.filter((other) => other !== sibling).join("|")})/`),
    because: "these meet through records in the store",
  })),
  {
    from: /^coordinator\//,
    except: /^coordinator\/(startup\/|commands\/|store\/)/,
    tests: false,
    never: /^coordinator\/store\/(etcd|memory)\//,
    because: "everything but the start-up knows the store by its interface",
  },
  {
    from: /^coordinator\/(?!startup\/|commands\/|main\.ts$)/,
    tests: false,
    never: /^coordinator\/(startup|commands)\//,
    because: "the parts do not know what wires them",
  },
  {
    from: /^coordinator\/scheduler\/decide\//,
    tests: false,
    never: /^(?!coordinator\/(scheduler\/decide|domain)\/|std\/)/,
    because: "decisions are pure: they import the domain and std only",
  },
  {
    from: /^coordinator\/scheduler\/decide\//,
    tests: false,
    never: /^std\/(?!(clock|heap)\.ts$)/,
    because: "decisions are pure: time, ids and logs are handed in",
  },
  {
    from: /^coordinator\/scheduler\/view\//,
    tests: false,
    never: /^(?!coordinator\/(scheduler\/(view|decide)|domain)\/|coordinator\/store\/store\.ts$|std\/)/,
    because: "the view holds what the store has and commits nothing",
  },
];
