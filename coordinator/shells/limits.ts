/** Bounds of the SSH gateway, in one place. */

/** From the connection to the login. */
export const LOGIN_GRACE_MS = 30_000;
/** A client that has sent nothing for so long waits for the gateway to speak first; one on a busy machine sends late. */
export const PREFACE_WAIT_MS = 1_000;
/** A line with a ticket is shorter. */
export const PREFACE_BYTES_MAX = 256;
/** From a ticket to the machine's response. */
export const SSHD_WITHIN_MS = 20_000;
/** Connections that have not logged in, over all and of one source; the oldest gives way to a new one. */
export const UNKNOWN_CONNECTIONS_MAX = 512;
export const UNKNOWN_PER_SOURCE_MAX = 100;
/** Connections that have logged in. */
export const CONNECTIONS_PER_SHELL_MAX = 128;
export const CONNECTIONS_PER_SOURCE_MAX = 512;
/** Sessions that are open, whether or not a program runs in them, and forwarded connections, of one connection. */
export const SESSIONS_PER_CONNECTION_MAX = 16;
export const FORWARDS_PER_CONNECTION_MAX = 64;

/** Asking for keys that are not known counts too. */
export const LOGIN_TRIES_PER_CONNECTION_MAX = 10;
/** No rejected password is responded to sooner, whatever the reason, so that its time reveals nothing. */
export const REFUSAL_AFTER_MS = 400;
/** Wrong passwords that a source may send at once, and how long it waits for each after these. */
export const WRONG_PASSWORDS_AT_ONCE = 10;
export const WRONG_PASSWORD_EVERY_MS = 3_000;
/** Sources that are remembered; one that is forgotten starts over. */
export const SOURCES_MAX = 100_000;
/** Pairs of source and shell that have logged in: what others do at that source does not hold them up. */
export const KNOWN_PAIRS_MAX = 100_000;

export const PASSWORD_BYTES_MAX = 1024;
export const COMMAND_BYTES_MAX = 128 * 1024;
export const ENV_ENTRIES_MAX = 32;
export const ENV_VALUE_BYTES_MAX = 256;

/** Waiting in the socket towards a client that does not read. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/** Of one channel: a client that sends more than it was allowed to is cut off. Its window is 2 MiB. */
export const UNREAD_BYTES_MAX = 4 * 1024 * 1024;

/** What a client takes in one packet: clients say 16 KiB and more, and each packet costs the gateway alike. */
export const PACKET_BYTES_MIN = 1024;
/** Of responses and output together: a client that leaves more unread is not read either. */
export const UNTAKEN_BYTES_MAX = UNSENT_BYTES_MAX + 256 * 1024;
/** How long the packets that came at once may take, before all others have their turn. */
export const READING_TURN_MS = 20;

/** A client that is gone without a word is noticed within ten minutes; one that is only suspended for less stays. */
export const KEEPALIVE_EVERY_MS = 30_000;
export const KEEPALIVES_MISSED_MAX = 20;
/** How often sessions are reviewed, in addition to each change that is observed. */
export const REVIEW_EVERY_MS = 2_000;
/** A client that was notified of the end has so long to close. */
export const CLOSES_WITHIN_MS = 1_000;
