/** Each query of each dashboard against a real Prometheus that scrapes a real coordinator and agent at work. */
import { DASHBOARDS } from "@elastic/deploy/grafana/dashboards.ts";
import { expect, test } from "vitest";
import { startCluster } from "../cluster/cluster.ts";
import { startPrometheus } from "../cluster/prometheus.ts";

const PROVED = 20;
const WAITING = 5;
const SERIES_TIMEOUT_MS = 120_000;

/** As Grafana has it for all values of the choices at the top. */
function asked(expr: string): string {
  return expr.replaceAll("$__rate_interval", "1m").replaceAll(/\$(service|team|instance)\b/g, ".+");
}

test("every panel of every dashboard shows something, or says why it is empty at rest", async () => {
  await using cluster = await startCluster({ agentSettings: { ELASTIC_SLOTS: "4" } });
  const [coordinator, agent] = [cluster.coordinators[0], cluster.agents[0]];
  if (coordinator === undefined || agent === undefined) throw new Error("the cluster has no parts");
  await using prometheus = await startPrometheus([coordinator.metricsUrl, agent.metricsUrl()]);
  const client = cluster.client();
  const echo = await client.readyService("echo", { image: "builtin:echo" });
  // What is in the first scrape has not grown: the tasks that count come after it.
  await expect.poll(() => prometheus.count("elastic_agent_links_up"), { timeout: 60_000 }).toBe(1);
  for (let n = 0; n < PROVED; n++) await client.prove(echo.service_id, `[${n}]`);
  const busy = await client.readyService("busy", { image: "builtin:sleep", scaling: { min: 1, max: 1 } });
  await client.readyService("echo-again", { image: "builtin:echo" });
  for (let n = 0; n < PROVED; n++) await client.prove(echo.service_id, `[${n}]`);
  for (let n = 0; n < WAITING; n++) await client.postTask(busy.service_id, '{"ms":600000}');

  const queries = DASHBOARDS.flatMap(({ title, panels }) =>
    panels.flatMap((panel) => panel.queries.map(({ expr }) => ({ panel, where: `${title} / ${panel.title}`, expr }))),
  );
  const empty = async () => {
    const counted = await Promise.all(
      queries.map(async ({ expr, ...of }) => ({ ...of, expr, series: await prometheus.count(asked(expr)) })),
    );
    return counted
      .filter(({ panel, series }) => series === 0 && panel.emptyAtRest === undefined)
      .map(({ where, expr }) => `${where}: ${expr}`);
  };
  await expect.poll(empty, { timeout: SERIES_TIMEOUT_MS, interval: 1_000 }).toEqual([]);
  expect(queries.length).toBeGreaterThan(50);
});
