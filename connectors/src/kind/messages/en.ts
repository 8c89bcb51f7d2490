/** The words that all kinds share, in English. Names in braces are placeholders. */
export const en = {
  rejected: "{source} didn't accept this. Check that it's complete and active.",
  rejectedBecause: "{source} didn't accept this: {reason}",
  nothingToPaste: '{source} has no credentials to paste. Sign in instead.',
} as const;
