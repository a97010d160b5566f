/** Judges what a member of etcd reports about itself. */
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { CLOCK_TOLERANCE_MS } from "../clocks/judge-clocks.ts";
import type { MemberStatus } from "../store/member-status.ts";
import { checkEnd } from "./certificate-checks.ts";

const MIB = 1024 * 1024;
/** Of the quota: above it there is little time to react. */
const SIZE_SHARE_MAX = 0.8;
/** Revisions that were not compacted: an hour of a busy fleet. */
const REVISIONS_MAX = 5_000_000;
/** The header of a response has whole seconds: what it was sent at is anywhere in that second. */
const HEADER_MS = 999;

export function checkMember(endpoint: string, member: MemberStatus, nowMs: number): readonly Check[] {
  const { certificateEnds } = member;
  return [
    checkVersion(endpoint, member),
    checkSize(endpoint, member),
    checkCompaction(endpoint, member),
    checkClock(endpoint, member, nowMs),
    ...(certificateEnds === null ? [] : [checkEnd(`certificate of ${endpoint}`, certificateEnds, nowMs)]),
  ];
}

function checkVersion(endpoint: string, { version, isLeader, hasLeader }: MemberStatus): Check {
  const finding = `${endpoint} responds: ${version}, ${isLeader ? "leader" : "follower"}`;
  if (!hasLeader) return fail("etcd", `${endpoint} knows no leader`, "start the other members, and let them reach it");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 3 || (major === 3 && minor >= 5)) return ok("etcd", finding);
  return warn("etcd", finding, "upgrade it to 3.5 or newer: older ones have known faults");
}

function checkSize(endpoint: string, { sizeBytes, quotaBytes }: MemberStatus): Check {
  const finding = `${endpoint}: ${mib(sizeBytes)} of ${mib(quotaBytes)} MiB`;
  if (!(sizeBytes > quotaBytes * SIZE_SHARE_MAX)) return ok("size", finding);
  return warn("size", finding, "etcdctl defrag, raise --quota-backend-bytes, or lower ELASTIC_ARCHIVE_AFTER");
}

function checkCompaction(endpoint: string, { revision, compactedRevision }: MemberStatus): Check {
  const lag = revision - Math.max(0, compactedRevision);
  const finding = `${endpoint}: ${lag} revisions since the last compaction`;
  if (!(lag > REVISIONS_MAX)) return ok("compaction", finding);
  return warn("compaction", finding, "start etcd with --auto-compaction-mode=periodic --auto-compaction-retention=5m");
}

function checkClock(endpoint: string, { clockMs }: MemberStatus, nowMs: number): Check {
  if (clockMs === null) return warn("clock", `${endpoint} does not report its time`, "compare it with another clock");
  const offMs = Math.max(clockMs - nowMs, nowMs - clockMs - HEADER_MS);
  if (offMs < CLOCK_TOLERANCE_MS) return ok("clock", `as that of ${endpoint}, to the second`);
  const finding = `${Math.round(Math.abs(nowMs - clockMs) / 1000)} s from that of ${endpoint}`;
  const remedy = "a coordinator whose clock is off does not lead, and certificates begin and end by it";
  return warn("clock", finding, `synchronize both machines' clocks: ${remedy}`);
}

function mib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
