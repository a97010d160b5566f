/** What is said when the address leads to a server, but not to the base of the service's paths. */
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

export function notTheBaseAddress(address: string, cause: unknown): CliError {
  return new CliError(`${address} is not the base address of the service.`, {
    exitCode: EXIT.usage,
    code: "not_the_base_address",
    next: `Give the address ${likelyBase(address)}.`,
    cause,
  });
}

/** A copied address of the interface ends with its version; any other path is left out. */
function likelyBase(address: string): string {
  const { origin, pathname } = new URL(address);
  if (pathname === "/") return "that the service is reached at, as in https://proving.example.com";
  const version = pathname.search(/\/v1(\/|$)/);
  return `without its path: ${origin}${version === -1 ? "" : pathname.slice(0, version)}`;
}
