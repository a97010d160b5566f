/**
 * The one place that encrypts and signs: environments of deployments and result links, say. AES-256-GCM and
 * HMAC-SHA-256 under keys derived from the master key, one for each use, so that nothing sealed or signed for one
 * use is good for another.
 *
 * Envelope: `v1.<key id>.<base64url of nonce, tag and ciphertext>`; signature: `<key id>.<base64url>`.
 */
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import { HmacSha256 } from "./hmac.ts";
import { type MasterKey, type MasterKeys, readKeyFile } from "./key-file.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

export interface Secrets {
  /** `context` says what is sealed and whose; the same must be given to open it. */
  seal(plain: Buffer, context: string): string;
  /** Rejects what was changed, sealed under another context or with a key that is no longer live. */
  open(sealed: string, context: string): Buffer;
  sign(purpose: string, text: string): string;
  /** In constant time. */
  verify(purpose: string, text: string, signature: string): boolean;
  /** Bytes for a key of another kind, one from each live key, the one that seals first: the same on every coordinator. */
  derive(use: string, bytes: number): readonly Buffer[];
  /** Of the live keys, the one that seals first. */
  keyIds(): readonly string[];
}

/** Of the keys that the file has now; a file that is not there is made. */
export function openSecrets({ keyFile }: { readonly keyFile: string }): Secrets {
  return secretsOf(readKeyFile(keyFile), keyFile);
}

/** `keyFile` is for messages. */
export function secretsOf([newest, ...others]: MasterKeys, keyFile: string): Secrets {
  const first = new DerivedKeys(newest);
  const live = new Map([first, ...others.map((master) => new DerivedKeys(master))].map((keys) => [keys.id, keys]));
  return {
    seal: (plain, context) => `v1.${first.id}.${encrypt(first.sealing, plain, context).toString("base64url")}`,
    open(sealed, context) {
      const [version, keyId = "", body = "", ...more] = sealed.split(".");
      const keys = live.get(keyId);
      if (version !== "v1" || more.length > 0) throw new Error(`sealed in a form that is not known: ${version}`);
      if (keys === undefined) throw new Error(`sealed with key ${keyId}, which is not in ${keyFile}`);
      return decrypt(keys.sealing, Buffer.from(body, "base64url"), context);
    },
    sign: (purpose, text) => `${first.id}.${first.mac(purpose, text)}`,
    verify(purpose, text, signature) {
      const [keyId = "", mac = "", ...more] = signature.split(".");
      const keys = live.get(keyId);
      if (keys === undefined || more.length > 0) return false;
      const expected = Buffer.from(keys.mac(purpose, text), "latin1");
      const actual = Buffer.from(mac, "latin1");
      return actual.length === expected.length && timingSafeEqual(actual, expected);
    },
    derive: (use, bytes) => [...live.values()].map((keys) => keys.derive(`derive/${use}`, bytes)),
    keyIds: () => [...live.keys()],
  };
}

/** Of the key that made it. */
export function keyIdOfSealed(sealed: string): string {
  return sealed.split(".")[1] ?? "";
}

class DerivedKeys {
  readonly id: string;
  readonly sealing: Buffer;
  readonly #master: Buffer;
  /** By purpose. */
  readonly #signing = new Map<string, HmacSha256>();

  constructor(master: MasterKey) {
    this.id = master.id;
    this.#master = master.bytes;
    this.sealing = this.derive("seal", KEY_BYTES);
  }

  /** In base64url. */
  mac(purpose: string, text: string): string {
    let key = this.#signing.get(purpose);
    if (key === undefined) {
      key = new HmacSha256(this.derive(`sign/${purpose}`, KEY_BYTES));
      this.#signing.set(purpose, key);
    }
    return key.digest(text);
  }

  derive(use: string, bytes: number): Buffer {
    return Buffer.from(hkdfSync("sha256", this.#master, Buffer.alloc(0), `elastic/v1/${use}`, bytes));
  }
}

function encrypt(key: Buffer, plain: Buffer, context: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(Buffer.from(context));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), body]);
}

function decrypt(key: Buffer, sealed: Buffer, context: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error("sealed text is cut");
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context));
  decipher.setAuthTag(sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
}
