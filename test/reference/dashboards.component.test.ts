import { readdirSync, readFileSync } from "node:fs";
import { DASHBOARD_FOLDER, DASHBOARDS, dashboardFiles } from "@elastic/deploy/grafana/dashboards.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { expect, test } from "vitest";
import { metricsPage } from "./metrics-page.ts";

test("the dashboards are those of the code; `npm run docs` regenerates them", () => {
  const names = readdirSync(inRepository(DASHBOARD_FOLDER)).filter((name) => name.endsWith(".json"));
  const committed = names.map((name) => [name, readFileSync(inRepository(DASHBOARD_FOLDER, name), "utf8")]);
  expect(Object.fromEntries(committed)).toEqual(dashboardFiles());
});

test("every query is over metrics that the programs have, and ratios that the rules record", async () => {
  const page = await metricsPage();
  const known = new Set([...page.matchAll(/`(elastic_\w+)`/g)].map(([, name]) => name));
  const rules = readFileSync(inRepository("deploy", "prometheus", "elastic.rules.yml"), "utf8");
  const recorded = new Set([...rules.matchAll(/record: (\S+)/g)].map(([, name]) => name));
  const queries = DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr)));
  expect(queries.length).toBeGreaterThan(40);
  const used = queries.flatMap((expr) => [...expr.matchAll(/elastic[:_][\w:]+/g)].map(([name]) => name));
  const unknown = used.filter((name) => !known.has(name.replace(/_(bucket|count|sum)$/, "")) && !recorded.has(name));
  expect(unknown).toEqual([]);
});
