/** The whole id of what a person named by the beginning of its id, or as the latest; a whole id asks nobody. */
import type { Caller } from "../api/client.ts";
import { searchTasks } from "../api/search.ts";
import { listDeployments } from "../api/services.ts";
import { listTasks } from "../api/tasks.ts";
import { listWebhooks } from "../api/webhooks.ts";
import { chooseId, isPartOfId } from "./choose-id.ts";

export async function findTaskId(caller: Caller, given: string): Promise<string> {
  if (!isPartOfId(given)) return given;
  if (given !== "latest") return chooseId("task", given, await searchTasks(caller, given));
  const { items } = await listTasks(caller, {}, 1);
  return chooseId(
    "task",
    given,
    items.map(({ task_id: id }) => id),
  );
}

export async function findDeploymentId(caller: Caller, serviceId: string, given: string): Promise<string> {
  if (!isPartOfId(given)) return given;
  const deployments = await listDeployments(caller, serviceId);
  return chooseId(
    "deployment",
    given,
    deployments.map(({ deployment_id: id }) => id),
  );
}

/** `service` is asked only where its webhooks have to be known. */
export async function findWebhookId(caller: Caller, given: string, service: () => Promise<string>): Promise<string> {
  if (!isPartOfId(given)) return given;
  const webhooks = await listWebhooks(caller, await service());
  return chooseId(
    "webhook",
    given,
    webhooks.map(({ webhook_id: id }) => id),
  );
}
