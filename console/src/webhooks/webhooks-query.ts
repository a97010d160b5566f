/** A service's webhooks, and what was sent to each. */
import { queryOptions } from "@tanstack/react-query";
import { api } from "../api/client.ts";
import { dataOf } from "../api/problem.ts";

export const webhooksQuery = (serviceId: string) =>
  queryOptions({
    queryKey: ["services", serviceId, "webhooks"],
    queryFn: () => dataOf(api.GET("/v1/services/{id}/webhooks", { params: { path: { id: serviceId } } })),
  });

export const deliveriesQuery = (webhookId: string) =>
  queryOptions({
    queryKey: ["webhooks", webhookId, "deliveries"],
    queryFn: () =>
      dataOf(api.GET("/v1/webhooks/{id}/deliveries", { params: { path: { id: webhookId }, query: { size: 20 } } })),
  });

export const deliveryQuery = (deliveryId: string) =>
  queryOptions({
    queryKey: ["deliveries", deliveryId],
    queryFn: () => dataOf(api.GET("/v1/deliveries/{id}", { params: { path: { id: deliveryId } } })),
  });
