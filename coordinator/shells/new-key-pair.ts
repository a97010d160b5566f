/** Keys of SSH that the library which makes them can read again. */
import ssh2 from "ssh2";

/** Both in OpenSSH's format. */
export interface KeyPair {
  readonly private: string;
  readonly public: string;
}

/** Of Ed25519. The library takes the zeros off a public key that begins with some, and what is left is no key. */
export function newKeyPair(): KeyPair {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync("ed25519");
    if (isReadable(pair.private)) return pair;
  }
}

/** Type and base64, as in a .pub file. */
export function publicKeyOf(privateKey: Buffer): string {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return `${key.type} ${key.getPublicSSH().toString("base64")}`;
}

export function isReadable(key: string | Buffer): boolean {
  return !(ssh2.utils.parseKey(key) instanceof Error);
}
