/** A type of GPU that no machine has is refused with those that there are, rather than waited for. */
import type { NewShell } from "../../domain/shell.ts";
import { whyNowhere } from "../../domain/suitable-node.ts";
import type { View } from "../../store/store.ts";
import { invalidRequest } from "../problems/problem.ts";

export function refuseUnknownGpu({ nodes }: Pick<View, "nodes">, shell: Pick<NewShell, "image" | "resources">): void {
  const known = [...nodes.values()].map(({ value }) => value);
  const nowhere = whyNowhere({ ...shell, verifierImage: null }, known);
  if (nowhere?.reason === "no_such_gpu") throw invalidRequest([{ pointer: "#/gpu_type", detail: nowhere.message }]);
}
