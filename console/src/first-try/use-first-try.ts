/** What a first try ends with, however its service is made: the page of the service. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { activeTeam } from "../active-team/active-team.ts";
import { DEMO_VERIFIER_IMAGE } from "../services/demo-prover.ts";
import { servicesQuery } from "../services/services-query.ts";
import { findVerifier } from "../services/verify-proof.ts";

export const FIRST_TRY = ["first-try"];

/** `make` returns the service's id. */
export function useFirstTry<T>(make: (wanted: T, teamId: string) => Promise<string>) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  return useMutation({
    mutationKey: FIRST_TRY,
    mutationFn: async (wanted: T) => {
      const teamId = activeTeam() ?? "";
      const serviceId = await make(wanted, teamId);
      // Proofs are verified on the service's page: the verifier starts meanwhile.
      findVerifier(DEMO_VERIFIER_IMAGE, teamId).catch(() => undefined);
      return serviceId;
    },
    onSuccess: async (serviceId) => {
      await queries.invalidateQueries(servicesQuery);
      await navigate({ to: "/services/$serviceId", params: { serviceId } });
    },
  });
}
