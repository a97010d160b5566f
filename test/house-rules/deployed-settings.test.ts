import { readFileSync } from "node:fs";
import { SETTINGS as AGENT } from "@elastic/agent/config/settings.ts";
import { SETTINGS as COORDINATOR } from "@elastic/coordinator/config/settings.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { unknownSettings } from "./deployed-settings.ts";
import { trackedPaths } from "./source-files.ts";

const DEPLOYMENTS = /^deploy\/(helm\/[^/]+\/templates\/|compose\/compose\.yaml$)/;
/** Of deploy/compose/up. */
const OF_SITE = ["SITE", "SITE_HOST", "SITE_REGISTRY", "SITE_BIND", "SITE_SUBNET", "PROJECT", "COORDINATOR_IMAGE"];
const OF_TOOLS = ["PROMETHEUS_PORT", "GRAFANA_PORT"];

const KNOWN = new Set([
  ...Object.keys(AGENT),
  ...Object.values(COORDINATOR).map(({ env }) => env),
  ...[...OF_SITE, ...OF_TOOLS].map((name) => `ELASTIC_${name}`),
]);

test("charts and the compose file set variables that the programs read", () => {
  const paths = trackedPaths().filter((path) => DEPLOYMENTS.test(path));
  expect(paths.length).toBeGreaterThan(8);
  const files = paths.map((path) => ({ path, text: readFileSync(inRepository(path), "utf8") }));
  expect(unknownSettings(files, KNOWN)).toEqual([]);
});

test("finds a misspelled variable", () => {
  const files = [{ path: "a.yaml", text: "- name: ELASTIC_ETCD\n- name: ELASTIC_ETCDS\n" }];
  expect(unknownSettings(files, KNOWN)).toEqual(["a.yaml:2: no program has the setting ELASTIC_ETCDS"]);
});
