import { Problem } from "../problems/problem.ts";

export function noRegistry(): Problem {
  const detail = "This installation has no registry; images come from the registries that its operator allows.";
  return new Problem("no_registry", detail);
}
