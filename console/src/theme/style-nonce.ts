/** The nonce that the server's policy allows styles with; it is another one in each response. */
export function styleNonce(): string {
  return document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
}
