/** The names of certificates here are a common name and nothing else. */
import { OID, sequence, set, utf8String } from "./der.ts";

export function commonName(text: string): Buffer {
  return sequence(set(sequence(OID.commonName, utf8String(text))));
}
