/** Which machines could run a workload if nothing else ran there, and why none of a fleet could. Pure. */
import { builtinName, type Deployment, imagesOf, memoryOf, slotsOf } from "./deployment.ts";
import { givableGpus, gpuWishText, suitsGpu } from "./gpu-wish.ts";
import type { Node, NodeInventory } from "./node.ts";

/** What of a workload says where it fits. */
export type Fitted = Pick<Deployment, "image" | "verifierImage" | "resources">;

/** Why nothing can ever serve, as the fleet is. */
export interface Nowhere {
  readonly reason: "no_such_label" | "no_such_gpu" | "no_such_machine";
  readonly message: string;
}

/** Null if some machine could, be it away or taken for now. Those that left for good, or never came, do not count. */
export function whyNowhere(fitted: Fitted, nodes: Iterable<Node>): Nowhere | null {
  const lacks = new Set<Lack>();
  const gpus = new Set<string>();
  for (const { state, inventory } of nodes) {
    if (state === "gone" || state === "joining") continue;
    const lack = lackOf(fitted, inventory);
    if (lack === null) return null;
    lacks.add(lack);
    for (const { model, migProfile } of givableGpus(inventory.gpus)) gpus.add(`${model} ${migProfile}`.trimEnd());
  }
  return nowhereOf(fitted, lacks, gpus);
}

export function hasLabels({ labels }: Pick<NodeInventory, "labels">, { resources }: Fitted): boolean {
  return Object.entries(resources.nodeLabels ?? {}).every(
    ([name, value]) => Object.hasOwn(labels, name) && labels[name] === value,
  );
}

/** Engine, provers and cores: what other workloads take nothing of. */
export function hasMeans({ engine, builtinProvers, cpuCores }: NodeInventory, fitted: Fitted): boolean {
  // Workloads share a node's cores, but none can be given more than there are.
  if (cpuCores * 1000 < fitted.resources.cpuMillis) return false;
  return imagesOf(fitted).every((image) => {
    const builtin = builtinName({ image });
    return builtin === null ? engine !== null : builtinProvers.includes(builtin);
  });
}

/** What a machine must have, in words. */
export function needs(fitted: Fitted): string {
  const labels = labelsText(fitted);
  return [
    ...new Set(imagesOf(fitted).map(whatRuns)),
    ...[gpuWishText(fitted.resources)].filter((text) => text !== ""),
    `${fitted.resources.cpuMillis / 1000} CPU`,
    `${Math.ceil(memoryOf(fitted) / 2 ** 20)} MiB of memory`,
    ...(labels === "" ? [] : [`the labels ${labels}`]),
  ].join(", ");
}

type Lack = "labels" | "gpus" | "rest";

/** The first thing that is missing, in the order in which machines are compared. */
function lackOf(fitted: Fitted, inventory: NodeInventory): Lack | null {
  if (!hasLabels(inventory, fitted)) return "labels";
  const { resources } = fitted;
  const gpus = givableGpus(inventory.gpus).filter((gpu) => suitsGpu(gpu, resources));
  if (gpus.length < resources.gpuCount) return "gpus";
  const isTooSmall = inventory.memoryBytes < memoryOf(fitted) || inventory.slots < slotsOf(fitted);
  return isTooSmall || !hasMeans(inventory, fitted) ? "rest" : null;
}

/** By the machines that come nearest. The message names the GPUs that the fleet has: `gpus`. */
function nowhereOf(fitted: Fitted, lacks: ReadonlySet<Lack>, gpus: ReadonlySet<string>): Nowhere {
  const labels = labelsText(fitted);
  if (lacks.has("rest")) return { reason: "no_such_machine", message: `no machine of the fleet has ${needs(fitted)}` };
  if (lacks.has("gpus")) {
    const among = labels === "" ? "" : ` among those with the labels ${labels}`;
    const there = gpus.size === 0 ? "it has no GPUs" : `there are ${[...gpus].sort().join(", ")}`;
    return {
      reason: "no_such_gpu",
      message: `no machine of the fleet has ${gpuWishText(fitted.resources)}${among}; ${there}`,
    };
  }
  if (lacks.has("labels")) {
    return { reason: "no_such_label", message: `no machine of the fleet has the labels ${labels}` };
  }
  return { reason: "no_such_machine", message: "the fleet has no machine for it" };
}

function labelsText({ resources }: Fitted): string {
  return Object.entries(resources.nodeLabels ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(", ");
}

function whatRuns(image: string): string {
  const builtin = builtinName({ image });
  return builtin === null ? "a container" : `the builtin prover ${builtin}`;
}
