/** A new service whose first deployment is an image. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { type DeploymentRequest, EMPTY_DRAFT } from "../deployments/deployment-draft.ts";
import { DeploymentForm } from "../deployments/deployment-form.tsx";
import { servicesQuery } from "../services/services-query.ts";

export interface NewServiceProps {
  /** Creates the service, or returns the one that was created under the same name before. */
  readonly makeService: () => Promise<string>;
  /** Deletes one that was just created, whose source was refused. */
  readonly unmakeService: () => Promise<void>;
  /** Further fields, above the others, with what was refused. */
  readonly fieldsOf: (error: Error | null) => ReactNode;
}

export function FromImageForm({ makeService, fieldsOf }: Omit<NewServiceProps, "unmakeService">) {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const creation = useMutation({
    mutationFn: async (body: DeploymentRequest) => {
      const id = await makeService();
      await dataOf(api.POST("/v1/services/{id}/deployments", { params: { path: { id } }, body }));
      return id;
    },
    onSettled: () => queries.invalidateQueries(servicesQuery),
    onSuccess: (serviceId) => navigate({ to: "/services/$serviceId", params: { serviceId } }),
  });
  return (
    <DeploymentForm initial={EMPTY_DRAFT} onSubmit={creation.mutate} submission={creation}>
      {fieldsOf(creation.error)}
    </DeploymentForm>
  );
}
