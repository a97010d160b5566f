/** The two sides of a comparison: clusters of two commits, started the same way and loaded by the same client. */
import { copyFileSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { repositoryRoot } from "@elastic/deploy/local/repository.ts";
import { startForked } from "../measure/forked.ts";
import { startLoadProcess } from "../measure/load-process.ts";
import { type Contender, INPUT, WORKERS_AT_A_TIME } from "../service/contender.ts";
import type { ElasticLoadSettings } from "../service/elastic-load.ts";
import type { Checkout } from "./checkout.ts";
import type { ClusterReady, ClusterSettings } from "./cluster-process.ts";

const SCRIPT = join("bench", "commits", "cluster-process.ts");

/** The commit of the working tree, with what is changed in it. */
export const PRESENT: Checkout = { folder: repositoryRoot, node: process.execPath };

export async function startSide(name: string, version: string, { folder, node }: Checkout): Promise<Contender> {
  const script = join(folder, SCRIPT);
  if (folder !== repositoryRoot) {
    mkdirSync(dirname(script), { recursive: true });
    copyFileSync(join(repositoryRoot, SCRIPT), script);
  }
  const settings: ClusterSettings = { concurrency: WORKERS_AT_A_TIME };
  const cluster = await startForked<ClusterReady>(script, settings, { node });
  const { processes, ...reached } = cluster.ready;
  const target: ElasticLoadSettings = { ...reached, input: INPUT };
  const load = await startLoadProcess(join(import.meta.dirname, "..", "service", "elastic-load.ts"), target);
  return {
    name,
    version,
    settings: null,
    client: load.pid,
    processes,
    measure: load.run,
    async stop() {
      await load.stop();
      await cluster.stop();
    },
  };
}
