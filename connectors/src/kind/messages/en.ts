/** The words that all kinds share, in English. Names in braces are placeholders. */
export const en = {
  rejected: "{source} didn't accept this. Check that it's complete and active.",
  rejectedBecause: "{source} didn't accept this: {reason}",
  nothingToPaste: '{source} has no credentials to paste. Sign in instead.',
  denied: '{source}: Access was denied',
  interrupted: 'The service stopped while it was requesting the tokens. Start the consent again',
} as const;
