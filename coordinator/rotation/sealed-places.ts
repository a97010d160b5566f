/**
 * What the master keys protect, and where it is: what a rotation seals again, and what it waits for. A house rule
 * (test/house-rules/sealed-places.test.ts) holds this table against every use of the secrets.
 */
import { LOGIN_MS } from "../domain/used-login.ts";
import { sealedKeysOf } from "../enrollment/authority-record.ts";
import { LINK_LIFE_MS } from "../public/task-link.ts";
import { TOKEN_LIFE_S } from "../registry/access-token.ts";
import { GRANT_LIFE_S } from "../registry/pull-grant.ts";
import { envContext } from "../secrets/deployment-env.ts";
import { poolSecretContext } from "../secrets/pool-secret.ts";
import { shellPasswordContext } from "../secrets/shell-password.ts";
import { webhookSecretContext } from "../secrets/webhook-secrets.ts";
import { HOST_KEY_CONTEXT } from "../shells/host-key.ts";
import { grantContext } from "../source-hosts/link-grant.ts";
import { credentialContext } from "../source-hosts/seal-credential.ts";
import { AUTHORITY_KEY, type RecordKind, SSH_HOST_KEY } from "../store/keys.ts";
import type { RecordTypes } from "../store/store.ts";

/** What becomes of an envelope: itself, or another in its place. */
export type Turn = (sealed: string, context: string) => string;

interface Place {
  /** As operators read it, after a number. */
  readonly what: string;
  /** The module that seals it. */
  readonly sealedBy: string;
}

export interface SealedRecords<K extends RecordKind = RecordKind> extends Place {
  readonly kind: K;
  /** The record with each of its envelopes turned. */
  turned(record: RecordTypes[K], turn: Turn): RecordTypes[K];
}

export interface SealedValue extends Place {
  readonly key: string;
  turned(value: Buffer, turn: Turn): Buffer;
}

/** Out there until it ends: it cannot be sealed or signed again. */
export interface Carried {
  readonly what: string;
  readonly madeBy: string;
  readonly lifeMs: number;
}

export const SEALED_RECORDS: readonly SealedRecords[] = [
  records({
    what: "environments of deployments",
    sealedBy: "coordinator/secrets/deployment-env.ts",
    kind: "deployments",
    turned: (deployment, turn) => {
      const { id, sealedEnv } = deployment;
      return sealedEnv === null ? deployment : { ...deployment, sealedEnv: turn(sealedEnv, envContext(id)) };
    },
  }),
  records({
    what: "webhooks",
    sealedBy: "coordinator/secrets/webhook-secrets.ts",
    kind: "webhooks",
    turned: (webhook, turn) => ({
      ...webhook,
      secrets: webhook.secrets.map((one) => ({ ...one, sealed: turn(one.sealed, webhookSecretContext(webhook.id)) })),
    }),
  }),
  records({
    what: "drivers of pools",
    sealedBy: "coordinator/secrets/pool-secret.ts",
    kind: "pools",
    turned: (pool, turn) => {
      const { id, driver } = pool;
      if (driver.kind !== "webhook") return pool;
      return { ...pool, driver: { ...driver, secret: { sealed: turn(driver.secret.sealed, poolSecretContext(id)) } } };
    },
  }),
  records({
    what: "passwords of shells",
    sealedBy: "coordinator/secrets/shell-password.ts",
    kind: "shells",
    turned: (shell, turn) => ({
      ...shell,
      sealedPassword: turn(shell.sealedPassword, shellPasswordContext(shell.id)),
    }),
  }),
  records({
    what: "credentials of repositories",
    sealedBy: "coordinator/source-hosts/seal-credential.ts",
    kind: "source-credentials",
    turned: (credential, turn) => ({
      ...credential,
      sealed: turn(credential.sealed, credentialContext(credential.id)),
    }),
  }),
  records({
    what: "grants of source hosts",
    sealedBy: "coordinator/source-hosts/link-grant.ts",
    kind: "source-grants",
    turned: (grant, turn) => ({ ...grant, sealed: turn(grant.sealed, grantContext(grant.id, grant.userId)) }),
  }),
];

export const SEALED_VALUES: readonly SealedValue[] = [
  {
    what: "keys of the node authority",
    sealedBy: "coordinator/enrollment/authority-record.ts",
    key: AUTHORITY_KEY,
    turned: sealedKeysOf,
  },
  {
    what: "SSH host keys",
    sealedBy: "coordinator/shells/host-key.ts",
    key: SSH_HOST_KEY,
    turned: (value, turn) => Buffer.from(turn(value.toString("utf8"), HOST_KEY_CONTEXT)),
  },
];

/** Registries allow for a minute of clock skew. */
const CLOCK_SKEW_MS = 60_000;

export const CARRIED: readonly Carried[] = [
  { what: "links to results", madeBy: "coordinator/public/task-link.ts", lifeMs: LINK_LIFE_MS },
  { what: "rights to pull images", madeBy: "coordinator/registry/pull-grant.ts", lifeMs: 1000 * GRANT_LIFE_S },
  {
    what: "tokens of the registry",
    madeBy: "coordinator/registry/authority.ts",
    lifeMs: 1000 * TOKEN_LIFE_S + CLOCK_SKEW_MS,
  },
  { what: "logins under way", madeBy: "coordinator/login/login-transaction.ts", lifeMs: LOGIN_MS },
  { what: "links to source hosts under way", madeBy: "coordinator/source-hosts/link-transaction.ts", lifeMs: LOGIN_MS },
];

/** Of a kind in the table, whose rows are of several. */
function records<K extends RecordKind>(place: SealedRecords<K>): SealedRecords {
  return place as unknown as SealedRecords;
}
