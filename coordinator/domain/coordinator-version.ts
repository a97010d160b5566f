/** Of this program, as operators see it. */
export const COORDINATOR_VERSION = "0.1.0";
