/** What runs, as labels of a gauge that is always 1. */
import { Gauge, type Registry } from "prom-client";
import { buildCommit } from "./build-commit.ts";

export function addBuildInfo(registry: Registry, version: string): void {
  new Gauge({
    name: "elastic_build_info",
    help: "Always 1; the version and the commit of the program, and the version of Node.js that runs it, are labels.",
    labelNames: ["version", "commit", "node"],
    registers: [registry],
  }).set({ version, commit: buildCommit(), node: process.version }, 1);
}
