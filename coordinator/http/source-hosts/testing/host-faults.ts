/** What tests of GitHub and of GitLab share: how each fault of a host is reported, and what builds read and write there. */
import type { FAULTS } from "@elastic/test/login/http-host.ts";
import type { SourceHostErrorCode } from "../../../source-hosts/source-host-error.ts";

type FaultRow = readonly [fault: keyof typeof FAULTS, code: SourceHostErrorCode];

/** For what never comes. */
export const DEADLINE_MS = 300;
export const LIMITS = { bytesMax: 1_000_000, deadlineMs: 5_000 };

/** Where an archive is expected. */
export const ARCHIVE_FAULTS: readonly FaultRow[] = [
  ["down", "host_down"],
  ["failing", "host_down"],
  ["elsewhere", "host_invalid"],
  ["silent", "host_down"],
  ["endless", "archive_too_large"],
];

/** Where JSON is expected. */
const JSON_FAULTS: readonly FaultRow[] = [
  ["down", "host_down"],
  ["failing", "host_down"],
  ["notJson", "host_invalid"],
  ["brokenJson", "host_invalid"],
  ["empty", "host_invalid"],
  ["endless", "host_invalid"],
  ["elsewhere", "host_invalid"],
];

/** A row for each path and fault. */
export function jsonFaultsAt(paths: readonly string[]): readonly (readonly [path: string, ...FaultRow])[] {
  return paths.flatMap((path) => JSON_FAULTS.map(([fault, code]) => [path, fault, code] as const));
}

export const STATUS = {
  state: "failure",
  targetUrl: "https://console.example/",
  description: "x".repeat(500),
  context: "c",
} as const;

/** Of a repository that is created: one of them is text, the other is not and may be executed. */
export const NEW_FILES = [
  { path: "Dockerfile", content: Buffer.from("FROM scratch\n"), isExecutable: false },
  { path: "bin/run", content: Buffer.from([0x7f, 0xff, 0x00, 0xfe]), isExecutable: true },
];
