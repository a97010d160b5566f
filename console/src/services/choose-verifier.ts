/** Which of the team's services verifies proofs, or becomes the one that does. Pure. */
import type { components } from "elastic-client/gen/schema.ts";

type Service = Pick<components["schemas"]["Service"], "service_id" | "service_name" | "image" | "state">;

export type VerifierChoice =
  | { readonly kind: "running"; readonly serviceId: string }
  /** One that was created and not deployed, or failed. */
  | { readonly kind: "deploy"; readonly serviceId: string }
  | { readonly kind: "create"; readonly name: string };

export function chooseVerifier(services: readonly Service[], image: string): VerifierChoice {
  const name = image.replace("builtin:", "");
  const running = services.find((service) => service.image === image && service.state !== "Failed");
  if (running !== undefined) return { kind: "running", serviceId: running.service_id };
  const isItsOwn = (service: Service) =>
    service.image === image || (service.image === null && isSameName(service.service_name, name));
  const idle = services.find(isItsOwn);
  if (idle !== undefined) return { kind: "deploy", serviceId: idle.service_id };
  return { kind: "create", name: freeName(services, name) };
}

/** Names are unique in a team: another prover may have this one. */
function freeName(services: readonly Service[], name: string): string {
  const isTaken = (candidate: string) => services.some((service) => isSameName(service.service_name, candidate));
  let candidate = name;
  for (let n = 2; isTaken(candidate); n++) candidate = `${name}-${n}`;
  return candidate;
}

function isSameName(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase();
}
