/** Replaces provided-flow.ts in the script-tag build, which has no providers. */
export const hostOf = null;
