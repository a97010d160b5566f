/**
 * The line for a machine that has nothing of this service yet. It needs a shell, curl or wget, and coreutils. What it runs has the
 * digest that it names, and comes over TLS of the authority that it names. Digests are of whole files: what a digest leaves out
 * somebody in between could add to. The token goes through a pipe, never into an
 * argument or a URL, which other users of the machine could read.
 */
import type { EnrollLine } from "../enrollment/enroll-line.ts";
import type { InstallOffer } from "./install-offer.ts";

/**
 * $1 the coordinator, $2 the authority's file, $3 the installer. Nothing here has a single quote. Proxies are not used: the agent connects to
 * the coordinators directly.
 */
const SCRIPT = [
  "set -eu",
  'x(){ echo "elastic: $1. Nothing was installed" >&2;exit 1;}',
  '[ "$(id -u)" = 0 ]||x "paste the line as root"',
  "unset https_proxy HTTPS_PROXY http_proxy HTTP_PROXY all_proxy ALL_PROXY",
  'd=$(mktemp -d)||x "no temporary folder can be made: make room in /tmp"',
  'trap "rm -rf $d" EXIT',
  // A shell that is ended by a signal does not run the line above; one with a trap waits for what it runs.
  'trap "exit 130" INT',
  'trap "exit 143" TERM HUP',
  "cd $d",
  'head -c 65536 /dev/zero>w 2>/dev/null||x "$d cannot be written: make room there"',
  [
    'if command -v curl >/dev/null;then k="curl -fsSkm60 -o";c="curl -fsSm60 --cacert a -o"',
    'elif command -v wget >/dev/null;then k="wget -qT60 -t1 --no-check-certificate -O";c="wget -qT60 -t1 --ca-certificate=a -O"',
    'else x "curl is missing: apt install curl, and paste the line again"',
    "fi",
  ].join(";"),
  '$k a https://$1/install/ca.pem||x "$1 serves no releases: check the address, and firewalls in between; proxies are not used"',
  'echo "$2  a"|sha256sum -c --status||x "$1 is not of the authority that the line names: do not continue, somebody may intercept the connection; if the authority was rotated, make another line"',
  'if ! $c i https://$1/install/install.sh||! echo "$3  i"|sha256sum -c --status;then x "$1 has another installer than the line names: make another line"',
  "fi",
  // The installer handles it.
  "trap : INT",
  'sh i "$@" --ca a',
].join(";");

/** `authorityFileSha256`: of the authority in PEM, as it is served. */
export interface InstallLine extends Omit<EnrollLine, "authoritySha256"> {
  readonly authorityFileSha256: string;
}

export function installLine(line: InstallLine, offer: InstallOffer): string {
  const { coordinator, token, authorityFileSha256, nodeName } = line;
  const releases = offer.releases.map(
    ({ platform, version, manifestSha256 }) => ` --release ${platform}:${version}:${manifestSha256}`,
  );
  const node = nodeName === null ? "" : ` --node ${nodeName}`;
  const given = `${coordinator} ${authorityFileSha256} ${offer.installerSha256}`;
  // sudo, where it is there: for root it changes nothing.
  return `echo ${token} | $(command -v sudo) sh -c '${SCRIPT}' elastic ${given} --release-key-file ${offer.keyFileSha256}${releases.join("")}${node}`;
}
