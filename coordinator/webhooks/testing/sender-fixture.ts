/** A sender over a store in memory, as a test needs it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@elastic/std/clock.ts";
import { newId } from "@elastic/std/ids.ts";
import { createLog } from "@elastic/std/log.ts";
import type { LookUp } from "@elastic/std/net/name-servers.ts";
import { type Delivery, newDelivery } from "../../domain/delivery.ts";
import { aWebhook } from "../../domain/testing/records.ts";
import type { Webhook } from "../../domain/webhook.ts";
import { openEgress } from "../../egress/egress.ts";
import { createMetrics } from "../../metrics/metrics.ts";
import { openSecrets, type Secrets } from "../../secrets/secrets.ts";
import { newWebhookSecret } from "../../secrets/webhook-secrets.ts";
import { create } from "../../store/change.ts";
import { Memory } from "../../store/memory/memory.ts";
import { type MemoryKv, memoryKv } from "../../store/memory/memory-kv.ts";
import { openStore } from "../../store/open/open-store.ts";
import type { Store, View } from "../../store/store.ts";
import type { WebhookContext } from "../webhook-context.ts";

export interface SenderFixture extends AsyncDisposable {
  /** The memory of the store, for further coordinators. */
  readonly memory: Memory;
  readonly kv: MemoryKv;
  readonly store: Store;
  readonly secrets: Secrets;
  /** Sends to this machine too; what is sent is `{"n":1}`. */
  context(more?: Partial<WebhookContext>): WebhookContext;
  /** A webhook of a new service, and the text of its secret. */
  addWebhook(given: Partial<Webhook>): Promise<{ readonly webhook: Webhook; readonly secret: string }>;
  /** One that is due at once. */
  addDelivery(webhook: Webhook): Promise<string>;
  /** The store with a view that shows the webhooks as `seen`. */
  behind(seen: Webhook | null): Store;
  /** As the store has it. */
  delivery(id: string): Promise<Delivery | null>;
}

export async function startSenderFixture(lookUp?: LookUp): Promise<SenderFixture> {
  const dir = mkdtempSync(join(tmpdir(), "webhooks-"));
  const log = createLog({ name: "test", level: "silent" });
  const memory = new Memory();
  const kv = memoryKv(memory);
  const store = await openStore({ kv, clock: systemClock, log });
  const secrets = openSecrets({ keyFile: join(dir, "keys") });
  const loopback = { kind: "range", range: { base: [127, 0, 0, 0], prefixBits: 8 } } as const;
  const egress = openEgress({ allow: [loopback], ...(lookUp === undefined ? {} : { lookUp }) });
  return {
    memory,
    kv,
    store,
    secrets,
    context: (more) => ({
      store,
      secrets,
      egress,
      describe: async () => '{"n":1}',
      clock: systemClock,
      log,
      metrics: createMetrics(),
      ...more,
    }),
    addWebhook: async (given) => {
      const id = newId(Date.now());
      const { sealed, text } = newWebhookSecret(secrets, id);
      const webhook = aWebhook({ id: newId(Date.now()) }, { id, secrets: [{ sealed, endsAt: null }], ...given });
      await store.commit([create("webhooks", webhook)]);
      return { webhook, secret: text };
    },
    addDelivery: async (webhook) => {
      const now = Date.now();
      const event = { type: "task.succeeded", subjectId: newId(now), createdAt: now } as const;
      const delivery = newDelivery(newId(now), webhook, event);
      await store.commit([create("deliveries", delivery)]);
      return delivery.id;
    },
    behind: (seen) => {
      const shown = seen === null ? undefined : { value: seen, revision: 1 };
      const webhooks = { get: () => shown, values: () => [], subscribe: () => () => {} };
      const view = Object.create(store.view, { webhooks: { value: webhooks } }) as View;
      const { epoch, blobStoreId } = store;
      return {
        epoch,
        blobStoreId,
        view,
        get: (kind, id) => store.get(kind, id),
        bytes: (of, id) => store.bytes(of, id),
        commit: (changes, guard) => store.commit(changes, guard),
        close: () => store.close(),
      };
    },
    delivery: async (id) => (await store.get("deliveries", id))?.value ?? null,
    [Symbol.asyncDispose]: async () => {
      await store.close();
      await kv.close();
      rmSync(dir, { recursive: true });
    },
  };
}
