/** What the charts' schemas refuse, which is all that `helm install` checks of values; and what charts have a copy of. */
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SETTINGS as AGENT } from "@elastic/agent/config/settings.ts";
import { SETTINGS as COORDINATOR } from "@elastic/coordinator/config/settings.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { Ajv } from "ajv";
import { expect, test } from "vitest";
import { parse } from "yaml";

type Values = Record<string, unknown>;

const CHARTS = inRepository("deploy", "helm");
const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function read(...path: readonly string[]): Values {
  return parse(readFileSync(join(CHARTS, ...path), "utf8")) as Values;
}

/** As Helm merges values: lists are replaced. */
function merged(below: Values, above: Values): Values {
  const entries = Object.entries(above).map(([name, value]) => {
    const before = below[name];
    return [name, isObject(before) && isObject(value) ? merged(before, value) : value];
  });
  return { ...below, ...Object.fromEntries(entries) };
}

/** Where the schema refuses the values, as JSON pointers and names. */
function refusals(chart: string, values: string, change: Values): readonly string[] {
  const { $schema: _, ...schema } = JSON.parse(readFileSync(join(CHARTS, chart, "values.schema.json"), "utf8"));
  const validate = new Ajv({ allErrors: true, strict: false }).compile(schema);
  const given = merged(merged(read(chart, "values.yaml"), read("testing", values)), change);
  if (validate(given)) return [];
  return (validate.errors ?? []).map(({ instancePath, propertyName }) =>
    `${instancePath} ${propertyName ?? ""}`.trim(),
  );
}

test.each([
  ["elastic-coordinator", "coordinator.yaml"],
  ["elastic-coordinator", "coordinator-everything.yaml"],
  ["elastic-agent", "agent.yaml"],
  ["elastic-agent", "agent-with-certificates.yaml"],
])("%s accepts %s", (chart, values) => {
  expect(refusals(chart, values, {})).toEqual([]);
});

test.each<[Values, string]>([
  [{ ssh: { enabled: true } }, "/ssh/images"],
  [{ trustedProxies: ["10.0.0.0/33"] }, "/trustedProxies/0"],
  [{ trustedProxies: ["10.0.0.256"] }, "/trustedProxies/0"],
  [{ trustedProxies: ["fd00::/129"] }, "/trustedProxies/0"],
  [{ etcd: { endpoints: ["http://etcd-0.etcd:2379"] } }, "/etcd/endpoints/0"],
  [{ registry: { host: "https://images.example.com/" } }, "/registry/host"],
  [{ image: { tag: "a b" } }, "/image/tag"],
  [{ replicas: 3, agents: { advertise: "agents.example.com:8443" } }, "/agents/advertise"],
  [{ env: { ELASTIC_QUEUE_TIMEOU: "1" } }, "/env ELASTIC_QUEUE_TIMEOU"],
  [{ env: { ELASTIC_ETCD: "http://a:1" } }, "/env ELASTIC_ETCD"],
])("the coordinators' chart refuses %j", (change, where) => {
  expect(refusals("elastic-coordinator", "coordinator.yaml", change)).toContain(where);
});

test.each<[Values]>([
  [{ trustedProxies: ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "::1"] }],
  [{ etcd: { endpoints: ["http://etcd-0.etcd:2379"], tlsSecret: "" } }],
  [{ registry: { host: "images.example.com:5000" } }],
  [{ replicas: 1, agents: { advertise: "agents.example.com:8443" } }],
  [{ env: { ELASTIC_SOURCE_GITHUB_APP_ID: "1", ELASTIC_LOGIN_OKTA_KIND: "oidc", AWS_REGION: "eu" } }],
])("the coordinators' chart accepts %j", (change) => {
  expect(refusals("elastic-coordinator", "coordinator.yaml", change)).toEqual([]);
});

test.each<[Values, string]>([
  [{ image: { tag: "a b" } }, "/image/tag"],
  [{ env: { ELASTIC_COORDINATORS: "a:1" } }, "/env ELASTIC_COORDINATORS"],
  [{ env: { ELASTIC_SLOTZ: "1" } }, "/env ELASTIC_SLOTZ"],
])("the agents' chart refuses %j", (change, where) => {
  expect(refusals("elastic-agent", "agent.yaml", change)).toContain(where);
});

/** Each setting is one that `env` accepts, or one that other values set. */
test.each([
  ["elastic-coordinator", Object.values(COORDINATOR).map(({ env }) => env), "coordinator.yaml", 20],
  ["elastic-agent", Object.keys(AGENT).filter((name) => name.startsWith("ELASTIC_")), "agent.yaml", 8],
] as const)("%s accepts every setting but those of other values", (chart, settings, values, others) => {
  const env = Object.fromEntries(settings.map((name) => [name, "x"]));
  const refused = new Set(refusals(chart, values, { env }).filter((where) => where.startsWith("/env ")));
  expect([...refused], `enter a new setting in "env" of deploy/helm/${chart}/values.schema.json`).toHaveLength(others);
});

test("the coordinators' chart has the alerts of deploy/prometheus, as a file that is copied with it", () => {
  const rules = readFileSync(inRepository("deploy", "prometheus", "elastic.rules.yml"), "utf8");
  const copy = join(CHARTS, "elastic-coordinator", "elastic.rules.yml");
  expect(
    readFileSync(copy, "utf8") === rules,
    "cp deploy/prometheus/elastic.rules.yml deploy/helm/elastic-coordinator/",
  ).toBe(true);
  expect(lstatSync(copy).isSymbolicLink()).toBe(false);
});
