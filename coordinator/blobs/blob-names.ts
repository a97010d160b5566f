/** How teams' folders and their files are called in the directory of blobs. */
export const TEAM_PATTERN = /^[0-9a-f]{32}$/;
export const SHA256_PATTERN = /^[0-9a-f]{64}$/;
