/** Text from agents made fit for a record: bounded as it will be stored, without control characters. */

/** The end of `text`, at most `bytesMax` once it is JSON. */
export function tailOf(text: string, bytesMax: number): string {
  let tail = clean(text.slice(-bytesMax));
  for (let excess = jsonBytes(tail) - bytesMax; excess > 0; excess = jsonBytes(tail) - bytesMax) {
    tail = wellFormed(tail.slice(Math.max(1, Math.floor(excess / 6))));
  }
  return tail;
}

/** The beginning of `text`, at most `bytesMax` once it is JSON. */
export function headOf(text: string, bytesMax: number): string {
  let head = clean(text.slice(0, bytesMax));
  for (let excess = jsonBytes(head) - bytesMax; excess > 0; excess = jsonBytes(head) - bytesMax) {
    head = wellFormed(head.slice(0, -Math.max(1, Math.floor(excess / 6))));
  }
  return head;
}

/** As `headOf`, in one line that no terminal and no reader is misled by: a name is shown in tables and logs. */
export function nameOf(text: string, bytesMax: number): string {
  return headOf(text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, ""), bytesMax);
}

function clean(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is to be taken out.
  return wellFormed(text).replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}

/** A cut may have halved a surrogate pair. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}

/** Bytes of the JSON string, without its quotes. */
function jsonBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - 2;
}
