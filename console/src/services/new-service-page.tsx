/** A new service and its first deployment. */
import { Stack, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";
import { type DeploymentRequest, EMPTY_DRAFT } from "../deployments/deployment-draft.ts";
import { DeploymentForm } from "../deployments/deployment-form.tsx";
import { PageTitle } from "../layout/page-title.tsx";
import { servicesQuery } from "./services-query.ts";

export function NewServicePage() {
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [name, setName] = useState("");
  // A service whose deployment was refused is deployed again under the same name, not made a second time.
  const made = useRef<{ readonly name: string; readonly id: string } | null>(null);
  const creation = useMutation({
    mutationFn: async (body: DeploymentRequest) => {
      if (made.current?.name !== name) {
        const service = await dataOf(api.POST("/v1/services", { body: { service_name: name } }));
        made.current = { name, id: service.service_id };
      }
      const { id } = made.current;
      await dataOf(api.POST("/v1/services/{id}/deployments", { params: { path: { id } }, body }));
      return id;
    },
    onSettled: () => queries.invalidateQueries(servicesQuery),
    onSuccess: (serviceId) => navigate({ to: "/services/$serviceId", params: { serviceId } }),
  });
  return (
    <Stack>
      <PageTitle title="New Service" />
      <DeploymentForm initial={EMPTY_DRAFT} onSubmit={creation.mutate} submission={creation}>
        <TextInput
          label="Name"
          description="1 to 63 letters, digits, dots, dashes and underscores"
          required
          maxLength={63}
          maw={420}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      </DeploymentForm>
    </Stack>
  );
}
