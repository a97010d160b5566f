/** A real Prometheus that scrapes parts of a cluster: `await using prometheus = await startPrometheus([url])`. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { programPath } from "./machine.ts";
import { startPart } from "./part.ts";
import { makeWorkFolder } from "./work-folder.ts";

const START_TIMEOUT_MS = 30_000;

export interface Prometheus extends AsyncDisposable {
  /** How many series the query has now. Rejects what is no query. */
  count(query: string): Promise<number>;
}

interface QueryResponse {
  readonly status: string;
  readonly error?: string;
  readonly data?: { readonly result: readonly unknown[] };
}

/** Once a second, with the rules of deploy/prometheus. */
export async function startPrometheus(metricsUrls: readonly string[]): Promise<Prometheus> {
  const folder = makeWorkFolder();
  const config = join(folder.path, "prometheus.json");
  const targets = metricsUrls.map((url) => new URL(url).host);
  writeFileSync(
    config,
    JSON.stringify({
      global: { scrape_interval: "1s", evaluation_interval: "1s" },
      rule_files: [inRepository("deploy", "prometheus", "elastic.rules.yml")],
      scrape_configs: [{ job_name: "elastic", static_configs: [{ targets }] }],
    }),
  );
  let url = "";
  const part = await startPart<string>({
    async program() {
      url = `http://127.0.0.1:${await freePort()}`;
      return {
        name: "prometheus",
        command: "prometheus",
        args: [
          `--config.file=${config}`,
          `--storage.tsdb.path=${join(folder.path, "data")}`,
          `--web.listen-address=${new URL(url).host}`,
        ],
        env: { PATH: programPath() },
        logFile: join(folder.path, "prometheus.log"),
      };
    },
    async becomesReady(child) {
      const look = async () => ((await fetch(`${url}/-/ready`)).ok ? true : undefined);
      await child.whileRunning((signal) => until("prometheus", look, { timeoutMs: START_TIMEOUT_MS, signal }));
      return url;
    },
    triesMax: 3,
  });
  return {
    async count(query) {
      const response = await fetch(`${url}/api/v1/query?query=${encodeURIComponent(query)}`);
      const { status, error, data } = (await response.json()) as QueryResponse;
      if (status !== "success") throw new Error(`${query}: ${error}`);
      return data?.result.length ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await part[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}
