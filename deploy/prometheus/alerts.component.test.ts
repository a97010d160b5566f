/** The alerts as Prometheus judges them, by its own tool; and that the runbook, the metrics and the alerts name each other. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SERVICE_FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { afterAll, describe, expect, test } from "vitest";
import { inRepository } from "../local/repository.ts";
import { ALERT_CASES, type AlertCase } from "./alert-cases.ts";
import { rulesOfAlert } from "./rules-of-alert.ts";

const RULES = inRepository("deploy", "prometheus", "elastic.rules.yml");
const TEXT = readFileSync(RULES, "utf8");
const ALERTS = [...TEXT.matchAll(/- alert: (\w+)/g)].map(([, name = ""]) => name);
const folder = mkdtempSync(join(tmpdir(), "alerts-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Otherwise promtool evaluates them in any order, and an alert may be an evaluation behind what it is computed from. */
const GROUPS = [...TEXT.matchAll(/^ {2}- name: (\S+)$/gm)].map(([, name = ""]) => name);

interface Judged {
  readonly status: number | null;
  readonly output: string;
}

interface Case {
  readonly name: string;
  readonly kind: "fires" | "silent" | "over";
  readonly value: number;
}

/** Whether the alerts are as expected, 1 for firing, at their times, as promtool has it; YAML takes JSON. */
function judge(label: string, cases: readonly Case[]): Judged {
  const all = cases.flatMap((judged) => casesOf(judged.name).map((one) => ({ ...judged, one })));
  const files = [...Map.groupBy(all, ({ name, one }) => `${name}-${one.everyMinutes ?? 1}`)].map(([which, some]) => {
    const [{ name, one }] = some as [(typeof some)[number]];
    const path = (kind: string) => join(folder, `${label}-${which}.${kind}`);
    writeFileSync(path("rules.yml"), rulesOfAlert(name, TEXT));
    const everyMinutes = one.everyMinutes ?? 1;
    const interval = `${Math.max(5, everyMinutes)}m`;
    const tests = some.flatMap((judged, index) => testOf(judged, index, everyMinutes));
    const file = { rule_files: [path("rules.yml")], evaluation_interval: interval, group_eval_order: GROUPS, tests };
    writeFileSync(path("json"), JSON.stringify(file));
    return path("json");
  });
  const { status, stdout, stderr } = spawnSync("promtool", ["test", "rules", ...files], { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

function casesOf(name: string): readonly AlertCase[] {
  return [ALERT_CASES[name] ?? []].flat();
}

function testOf(
  { name, kind, value, one }: Case & { readonly one: AlertCase },
  index: number,
  everyMinutes: number,
): readonly object[] {
  const series = one[kind];
  if (series === undefined) return [];
  const expr = `count(ALERTS{alertname="${name}",alertstate="firing"}) or vector(0)`;
  return [
    {
      name: `${name} ${kind}, test ${index + 1}`,
      interval: `${everyMinutes}m`,
      input_series: series.map(([labelled, values]) => ({ series: named(labelled), values })),
      promql_expr_test: [{ expr, eval_time: one.at, exp_samples: [{ labels: "{}", value }] }],
    },
  ];
}

function named(series: string): string {
  return series.startsWith("up{") ? series : `elastic_${series}`;
}

test("the example configuration is valid next to the rules, and has the jobs of the alerts", () => {
  const example = inRepository("deploy", "prometheus", "prometheus.example.yml");
  const output = execFileSync("promtool", ["check", "config", example], { encoding: "utf8", stdio: "pipe" });
  expect(output).toContain("1 rule files found");
  const jobs = [...readFileSync(example, "utf8").matchAll(/job_name: (\S+)/g)].map(([, job]) => job);
  expect(jobs).toEqual(["elastic-coordinator", "elastic-agent"]);
});

test("the rules are valid, and each alert has its cases", () => {
  execFileSync("promtool", ["check", "rules", RULES], { stdio: "pipe" });
  expect(ALERTS.length).toBeGreaterThan(25);
  expect(Object.keys(ALERT_CASES).toSorted()).toEqual(ALERTS.toSorted());
});

test("each alert fires, and is silent on what is nearest to that", { timeout: 180_000 }, () => {
  const cases = ALERTS.flatMap((name) => [
    { name, kind: "fires", value: 1 } as const,
    { name, kind: "silent", value: 0 } as const,
    { name, kind: "over", value: 0 } as const,
  ]);
  expect(judge("all", cases)).toMatchObject({ status: 0, output: expect.stringContaining("SUCCESS") });
  // The tool notices what does not hold.
  const [name = ""] = ALERTS;
  expect(judge("wrong", [{ name, kind: "silent", value: 1 }])).toMatchObject({
    status: 1,
    output: expect.stringContaining("FAILED"),
  });
});

describe("the runbook", () => {
  const guide = readFileSync(inRepository("docs", "operators.md"), "utf8");

  test("names each alert, and in its table of alarms none that is not there", () => {
    for (const alert of ALERTS) expect(guide).toContain(`\`${alert}\``);
    const [, atNight = ""] = guide.split("\n## At night\n");
    const rows = [...(/\| Alarm \|[^\n]*\n\|[-|]+\n((?:\|.*\n)+)/.exec(atNight)?.[1] ?? "").matchAll(/^\| (.*?) \|/gm)];
    expect(rows.length).toBeGreaterThan(30);
    const named = rows.map(([, alarm = ""]) => [...alarm.matchAll(/`(Elastic\w+)`/g)].map(([, name]) => name));
    // A line of the log is noticed by whoever collects logs.
    expect(
      rows.filter(([, alarm = ""], index) => named[index]?.length === 0 && !alarm.startsWith("the log has")),
    ).toEqual([]);
    expect(named.flat().filter((name = "") => !ALERTS.includes(name))).toEqual([]);
  });

  test("has each section that an alert refers to", () => {
    const anchors = [...guide.matchAll(/^#+ (.*)$/gm)].map(([, title = ""]) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w -]/g, "")
        .replaceAll(" ", "-"),
    );
    const named = [...TEXT.matchAll(/runbook: "?docs\/operators\.md#([\w-]+)/g)].map(([, anchor = ""]) => anchor);
    expect(named).toHaveLength(ALERTS.length);
    expect(named.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});

test("a task that a prover or a user failed counts neither for nor against the service", () => {
  const ours = SERVICE_FAILURE_REASONS.join("|");
  const matched = [...TEXT.matchAll(/tasks_ended_total\{reason=~"([^"]+)"\}/g)].map(([, reasons = ""]) => reasons);
  expect([...new Set(matched)].toSorted()).toEqual([ours, `none|${ours}`].toSorted());
});

test("every metric in a rule is one that the programs have", () => {
  const sources = execFileSync(
    "git",
    ["grep", "-hoE", '"elastic_[a-z0-9_]+"|`elastic_agent_gpu_', "--", "coordinator", "agent", "std"],
    {
      cwd: inRepository(),
      encoding: "utf8",
    },
  );
  const known = new Set([...sources.matchAll(/elastic_[a-z0-9_]+/g)].map(([name]) => name));
  const used = new Set([...TEXT.matchAll(/elastic_[a-z0-9_]+/g)].map(([name]) => name.replace(/_(bucket|count)$/, "")));
  const unknown = [...used].filter((name) => !known.has(name) && !name.startsWith("elastic_agent_gpu_"));
  expect([used.size > 20, unknown]).toEqual([true, []]);
});
