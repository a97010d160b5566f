/** As much of DER (X.690) as certificates and requests for them take, written. */

export const OID = {
  commonName: Buffer.from("0603550403", "hex"),
  keyUsage: Buffer.from("0603551d0f", "hex"),
  basicConstraints: Buffer.from("0603551d13", "hex"),
  extendedKeyUsage: Buffer.from("0603551d25", "hex"),
  subjectAltName: Buffer.from("0603551d11", "hex"),
  serverAuth: Buffer.from("06082b06010505070301", "hex"),
  clientAuth: Buffer.from("06082b06010505070302", "hex"),
  ecdsaWithSha256: Buffer.from("06082a8648ce3d040302", "hex"),
} as const;

export const TRUE = element(0x01, Buffer.from([0xff]));

export function sequence(...parts: readonly Buffer[]): Buffer {
  return element(0x30, ...parts);
}

export function set(...parts: readonly Buffer[]): Buffer {
  return element(0x31, ...parts);
}

/** Of a number that is not negative, its highest byte first. */
export function integer(bytes: Buffer): Buffer {
  const isNegative = (bytes[0] ?? 0) >= 0x80;
  return element(0x02, isNegative ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes);
}

/** Of all bits of `bytes`, but for `unusedBits` at the end. */
export function bitString(bytes: Buffer, unusedBits = 0): Buffer {
  return element(0x03, Buffer.from([unusedBits]), bytes);
}

export function octetString(...parts: readonly Buffer[]): Buffer {
  return element(0x04, ...parts);
}

export function utf8String(text: string): Buffer {
  return element(0x0c, Buffer.from(text));
}

/** `YYMMDDhhmmssZ`, of the years 1950 to 2049. */
export function utcTime(text: string): Buffer {
  return element(0x17, Buffer.from(text));
}

/** `[number]` in place of the type that a structure's member has. */
export function implicit(number: number, bytes: Buffer): Buffer {
  return element(0x80 + number, bytes);
}

/** `[number]` of a structure's optional member. */
export function explicit(number: number, ...parts: readonly Buffer[]): Buffer {
  return element(0xa0 + number, ...parts);
}

function element(tag: number, ...parts: readonly Buffer[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([Buffer.from([tag]), lengthOf(length), ...parts]);
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.from([length]);
  if (length <= 0xff) return Buffer.from([0x81, length]);
  return Buffer.from([0x82, length >> 8, length & 0xff]);
}
