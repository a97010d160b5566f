/** What can be deployed: provers that need no image, and what the team has pushed. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const builtinsQuery = queryOptions({
  queryKey: ["builtin-provers"],
  queryFn: () => dataOf(api.GET("/v1/builtin-provers")),
  staleTime: Number.POSITIVE_INFINITY,
});

export const imagesQuery = queryOptions({
  queryKey: ["registry", "images"],
  queryFn: () => dataOf(api.GET("/v1/registry/images")),
});

export const gpuTypesQuery = queryOptions({
  queryKey: ["gpu-types"],
  queryFn: () => dataOf(api.GET("/v1/gpu-types")),
});
