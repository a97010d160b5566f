/** DER (X.690) read strictly: definite lengths in their shortest form, and no remaining bytes. */

class DerError extends Error {
  override readonly name = "DerError";
}

export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** With its tag and length. */
  readonly encoded: Buffer;
}

/** The elements that the bytes are, one after the other. */
export function readElements(bytes: Buffer): readonly Element[] {
  const elements: Element[] = [];
  for (let offset = 0; offset < bytes.length; ) {
    const element = readElement(bytes, offset);
    elements.push(element);
    offset += element.encoded.length;
  }
  return elements;
}

/** The elements within the one element, of that tag, that the bytes are. */
export function readWithin(bytes: Buffer, tag: number): readonly Element[] {
  const [only, ...more] = readElements(bytes);
  if (only?.tag !== tag || more.length > 0) throw new DerError(`it is not one element of tag ${tag}`);
  return readElements(only.content);
}

function readElement(bytes: Buffer, offset: number): Element {
  const tag = bytes[offset] ?? 0;
  const first = bytes[offset + 1];
  if ((tag & 0x1f) === 0x1f || first === undefined) throw new DerError("an element is cut or of an unknown form");
  const lengthBytes = first < 0x80 ? 0 : first - 0x80;
  const from = offset + 2 + lengthBytes;
  if (first === 0x80 || lengthBytes > 2 || from > bytes.length) throw new DerError("a length cannot be read");
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(offset + 2, lengthBytes);
  const shortest = lengthBytes === 0 || length >= (lengthBytes === 1 ? 0x80 : 0x100);
  if (!shortest || from + length > bytes.length) throw new DerError("a length is wrong");
  return { tag, content: bytes.subarray(from, from + length), encoded: bytes.subarray(offset, from + length) };
}
