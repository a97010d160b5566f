/** `host:port`, with an IPv6 address in brackets. */
export function isHostAndPort(text: string): boolean {
  const port = /^(?:[^\s:/[\]]+|\[[0-9a-fA-F:.]+\]):(\d{1,5})$/.exec(text)?.[1];
  return port !== undefined && Number(port) <= 65_535;
}
