/** The operators' order to upgrade agents. A coordinator that does not lead reports 0. */
import { Gauge, type Registry } from "prom-client";

export interface UpgradeMetrics {
  paused(isPaused: boolean): void;
}

export function createUpgradeMetrics(registry: Registry): UpgradeMetrics {
  const paused = new Gauge({
    name: "elastic_upgrade_paused",
    help: "1 while the upgrade of the fleet's agents is paused, by an operator or since a node or its tasks failed.",
    registers: [registry],
  });
  return { paused: (isPaused) => paused.set(isPaused ? 1 : 0) };
}
