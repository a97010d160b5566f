import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";
import { rulesOfAlert } from "./rules-of-alert.ts";

const FILE = readFileSync(inRepository("deploy", "prometheus", "elastic.rules.yml"), "utf8");

test("has the alert, as it stands in its group, and nothing else where it reads no recorded series", () => {
  expect(rulesOfAlert("ElasticPoolStopped", FILE)).toBe(`groups:
  - name: elastic-coordinators
    rules:
      - alert: ElasticPoolStopped
        expr: max(elastic_pools_stopped) > 0
        for: 1m
        labels: { severity: ticket }
        annotations:
          {
            summary: "pools that do not grow any more, since their machines did not come up: {{ $value }}",
            runbook: "docs/operators.md#pools",
          }
`);
});

test("has the recorded series that the alert reads, in the group before it", () => {
  const text = rulesOfAlert("ElasticTasksFail", FILE);
  const names = [...text.matchAll(/- (?:name|alert|record): (\S+)/g)].map(([, name]) => name);
  expect(names).toEqual([
    "elastic-service-levels",
    "elastic:task_failure_ratio:rate5m",
    "elastic:task_failure_ratio:rate1h",
    "elastic-service-level-alerts",
    "ElasticTasksFail",
  ]);
  expect(text.match(/expr: >-\n.*\n +\/ sum/g)).toHaveLength(2);
});

test("refuses an alert that is not there", () => {
  expect(() => rulesOfAlert("ElasticNothing", FILE)).toThrow("there is no rule ElasticNothing");
});
