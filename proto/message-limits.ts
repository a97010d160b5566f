/** How much one message of an agent holds at most: agents cut by it, and coordinators reject what holds more. */

export const REPORTS_A_MESSAGE_MAX = 500;
export const PROGRESSES_A_MESSAGE_MAX = 1_000;
export const LOG_PIECES_A_MESSAGE_MAX = 500;
/** In a hello and in a node's report; eight cards cut into seven instances each are 56. */
export const GPUS_MAX = 128;
/** Twice the outcomes that an agent stores on disk while it is away: the hello also names what runs. */
export const HELLO_ATTEMPTS_MAX = 20_000;
export const ENDED_ATTEMPTS_A_MESSAGE_MAX = 1_000;
export const HELLO_WORKLOADS_MAX = 2_000;

/** Of one build's report. */
export const BUILD_STAGES_MAX = 16;
