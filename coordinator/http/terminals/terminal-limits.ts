/** Bounds of terminals in browsers, in one place. */

/** In all and of one key or session; a team and a user have a quarter at most. */
export const TERMINALS = { max: 1_000, keyMax: 100 };
/** Of one message of a client. */
export const MESSAGE_BYTES_MAX = 64 * 1024;
/**
 * What may be under way without an acknowledgement, each way. Pausing the connection in its place would hold back the
 * acknowledgements too, and a program that echoes what is pasted would wait for ever.
 */
export const WINDOW_BYTES = 256 * 1024;
/** Waiting in the socket towards a client that does not read; its window is below that. */
export const UNSENT_BYTES_MAX = 1024 * 1024;
/** Pongs wait for nobody: above this, pings are not responded to. */
export const PONG_UNSENT_BYTES_MAX = 16 * 1024;

export const PING_EVERY_MS = 20_000;
export const PINGS_MISSED_MAX = 2;
/** Without a byte either way. */
export const IDLE_MS = 3_600_000;
/** How often it is checked whether the caller may still use it: with the view's age below a second. */
export const REVIEW_EVERY_MS = 250;
/** A window that is dragged has its size sent no more often. */
export const RESIZE_EVERY_MS = 50;
/** A client that was sent the end has so long to close. */
export const CLOSES_WITHIN_MS = 1_000;
export const COLUMNS_MAX = 1_000;
export const ROWS_MAX = 1_000;
