/**
 * The complete id of what a person named by the beginning of its id, or as the latest. A complete id is returned without
 * a request. Each throws a CliError where several ids begin so, and for `latest` where there is nothing.
 */
import { listAuthorizedKeys } from "../api/authorized-keys.ts";
import type { Caller } from "../api/caller.ts";
import { listKeys } from "../api/keys.ts";
import { listInvitations } from "../api/members.ts";
import { searchTasks } from "../api/search.ts";
import { listDeployments } from "../api/services.ts";
import { listTasks } from "../api/tasks.ts";
import { listDeliveries, listWebhooks } from "../api/webhooks.ts";
import { chooseId, isPartOfId, LATEST, refuseTooShort } from "./choose-id.ts";

/** Of each webhook, the newest that are looked through. */
const DELIVERIES_SIZE = 100;
/** Ids of access keys are random, not times. */
const PART_OF_KEY_ID = /^[0-9A-Za-z]{4,9}$/;

export async function findTaskId(caller: Caller, given: string): Promise<string> {
  return await find("task", given, async () =>
    given === LATEST
      ? (await listTasks(caller, {}, 1)).items.map(({ task_id: id }) => id)
      : await searchTasks(caller, given),
  );
}

export async function findDeploymentId(caller: Caller, serviceId: string, given: string): Promise<string> {
  return await find("deployment", given, async () =>
    (await listDeployments(caller, serviceId)).map(({ deployment_id: id }) => id),
  );
}

/** `service` is called only where its webhooks have to be known. */
export async function findWebhookId(caller: Caller, given: string, service: () => Promise<string>): Promise<string> {
  return await find("webhook", given, async () =>
    (await listWebhooks(caller, await service())).map(({ webhook_id: id }) => id),
  );
}

/** Among the newest 100 of each webhook of the service. */
export async function findDeliveryId(caller: Caller, given: string, service: () => Promise<string>): Promise<string> {
  return await find("delivery", given, async () => {
    const webhooks = await listWebhooks(caller, await service());
    const newest = { state: undefined, page: 1, size: DELIVERIES_SIZE };
    const pages = await Promise.all(webhooks.map(({ webhook_id: id }) => listDeliveries(caller, id, newest)));
    return newestFirst(pages.flatMap(({ items }) => items.map(({ delivery_id: id }) => id)));
  });
}

export async function findInvitationId(caller: Caller, given: string, teamId: () => Promise<string>): Promise<string> {
  return await find("invitation", given, async () =>
    (await listInvitations(caller, await teamId())).map(({ invitation_id: id }) => id),
  );
}

export async function findAuthorizedKeyId(caller: Caller, given: string): Promise<string> {
  return await find("public key", given, async () =>
    newestFirst((await listAuthorizedKeys(caller)).map(({ key_id: id }) => id)),
  );
}

/** Among the access keys that are not revoked; four characters are enough. */
export async function findKeyId(caller: Caller, given: string): Promise<string> {
  if (given !== LATEST && !PART_OF_KEY_ID.test(given)) return given;
  const keys = (await listKeys(caller)).filter(({ revoked }) => revoked === null);
  return chooseId(
    "access key",
    given,
    keys.map(({ key_id: id }) => id),
  );
}

/** `list` has the newest first. */
async function find(noun: string, given: string, list: () => Promise<readonly string[]>): Promise<string> {
  refuseTooShort(noun, given);
  return isPartOfId(given) ? chooseId(noun, given, await list()) : given;
}

/** Ids begin with the time. */
function newestFirst(ids: readonly string[]): readonly string[] {
  return ids.toSorted().reverse();
}
