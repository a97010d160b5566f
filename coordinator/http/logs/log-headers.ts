/** Of responses that are logs. What a user's program writes is never shown as a page of this origin. */
export const LOG_HEADERS = {
  "content-type": "text/plain; charset=utf-8",
  "content-security-policy": "default-src 'none'; sandbox",
  // A proxy that gathers bytes would keep a follower waiting.
  "x-accel-buffering": "no",
};
