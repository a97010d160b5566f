/** Signatures of Standard Webhooks 1.0: HMAC-SHA-256 over `id.timestamp.body`, in base64. */

/** Which bytes are signed. */
export interface Signed {
  readonly id: string;
  readonly timestamp: string;
  readonly body: Uint8Array;
}

export async function signatureOf(secret: string, signed: Signed): Promise<string> {
  const signature = await crypto.subtle.sign("HMAC", await keyOf(secret, "sign"), bytesOf(signed));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/** In a time that does not depend on the signature. False for one that is no base64. */
export async function isSignature(secret: string, signed: Signed, signature: string): Promise<boolean> {
  const bytes = decoded(signature);
  if (bytes === null) return false;
  return await crypto.subtle.verify("HMAC", await keyOf(secret, "verify"), bytes, bytesOf(signed));
}

async function keyOf(secret: string, usage: "sign" | "verify") {
  const bytes = decoded(secret.replace(/^whsec_/, ""));
  if (bytes === null || bytes.length === 0) throw new TypeError("the secret of a webhook is whsec_ and base64");
  return await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [usage]);
}

function bytesOf({ id, timestamp, body }: Signed): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${id}.${timestamp}.`);
  const bytes = new Uint8Array(head.length + body.length);
  bytes.set(head);
  bytes.set(body, head.length);
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
