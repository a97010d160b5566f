/** What a service was deployed from, the newest first. */
import { queryOptions } from "@tanstack/react-query";
import { allPages } from "../api/all-pages.ts";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const deploymentsQuery = (serviceId: string) =>
  queryOptions({
    queryKey: ["services", serviceId, "deployments"],
    queryFn: () =>
      allPages((query) => {
        const params = { path: { id: serviceId }, query };
        return dataOf(api.GET("/v1/services/{id}/deployments", { params }));
      }),
  });
