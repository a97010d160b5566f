/** The version of this program, as the hello, `status` and `--version` have it. */
export const AGENT_VERSION = "0.1.0";
