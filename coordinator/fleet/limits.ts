/** Bounds of the link to agents, in one place: those that agents receive, and those that their messages are checked by. */
import type { Limits } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { HELLO_ATTEMPTS_MAX } from "@elastic/proto/message-limits.ts";
import { RESULT_BYTES_MAX, SMALL_BYTES_MAX } from "../domain/limits.ts";

export const PROTOCOL_VERSION = 1;
export const PROTOCOL_VERSION_MIN = 1;

export const HEARTBEAT_INTERVAL_MS = 3_000;
export const HELLO_WITHIN_MS = 10_000;

/** Agents that lose their links to a coordinator at once come back at a hundred a second, and all within a quarter of a minute. */
const RECONNECT_MS_A_NODE = 10;
const RECONNECT_SPREAD_MS_MAX = 15_000;

export function reconnectSpreadMs(nodes: number): number {
  return Math.min(RECONNECT_SPREAD_MS_MAX, RECONNECT_MS_A_NODE * nodes);
}

export const CHUNK_BYTES_MAX = 256 * 1024;
export const LOG_TAIL_BYTES_MAX = 4 * 1024;
export const FAILURE_MESSAGE_BYTES_MAX = 1024;
export const RECEIVE_MESSAGE_BYTES_MAX = 8 * 1024 * 1024;
export const SEND_MESSAGE_BYTES_MAX = 16 * 1024 * 1024;
export const STREAMS_PER_CONNECTION_MAX = 512;

/** Of one message of commands, so that it stays far below the message limit. */
export const COMMANDS_A_MESSAGE_MAX = 500;
/** Entries of one link's messages that are being dealt with; while there are more the stream is not read. */
export const UNDER_WAY_MAX = 5_000;
/** A message counts for no fewer entries, since it takes memory as well: 200 messages of one entry are the most. */
export const MESSAGE_ENTRIES_MIN = 25;
/** Attempts of a hello that are looked up at once. */
export const HELLO_LOOKUPS_MAX = 500;
/** No run is longer; what an agent measures beyond is clamped. */
export const DURATION_MS_MAX = 7 * 24 * 3_600_000;

/** Beyond the limit of a log an agent notes, in so many bytes, that it was cut and what else happened to it. */
export const LOG_NOTES_BYTES_MAX = 4 * 1024;
/** How long after its end an attempt's log may still come: an agent that was cut off comes back within it. */
export const LOG_GRACE_MS = 10 * 60_000;

/** Messages of a node that no agent sends, within that time: so many and the node is quarantined. */
export const VIOLATIONS_MAX = 20;
export const VIOLATIONS_WITHIN_MS = 10 * 60_000;

/** Attempts of unknown tasks that a node reports within that time: what a hello names at most, and the journal of ended attempts. */
export const UNKNOWN_ATTEMPTS_MAX = HELLO_ATTEMPTS_MAX + 10_000;
export const UNKNOWN_ATTEMPTS_WITHIN_MS = 3_600_000;

/** Changes of a node's record by orders of its machine: beyond them it may drain, and not resume. */
export const DRAIN_CHANGES = { max: 12, withinMs: 3_600_000 };
/** By reports of its GPUs' health: beyond them a GPU may become unhealthy, and not healthy again. */
export const GPU_CHANGES = { max: 60, withinMs: 3_600_000 };

/** Of one message of a tunnel. */
export const TUNNEL_PIECE_BYTES_MAX = 64 * 1024;
/** Long enough for fifty at once on a machine whose provers leave it little time. */
export const TUNNEL_OPENS_WITHIN_MS = 60_000;
/** Each is a stream of the node's connection, and below its limit. */
export const TUNNELS_PER_NODE_MAX = 400;
/** How long a node's tunnels stand without its link: agents come back within seconds. */
export const TUNNEL_LINK_GRACE_MS = 4_000;

export function agentLimits(logBytesMax: number): Limits {
  return {
    inlineResultBytesMax: SMALL_BYTES_MAX,
    resultBytesMax: BigInt(RESULT_BYTES_MAX),
    chunkBytesMax: CHUNK_BYTES_MAX,
    logTailBytesMax: LOG_TAIL_BYTES_MAX,
    logBytesMax: BigInt(logBytesMax),
  };
}
