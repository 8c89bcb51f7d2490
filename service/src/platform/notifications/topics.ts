/** What processes notify each other of. Each listener also polls, because a notification can be lost. */
export const topics = {
  /** A sync may be due. Only processes with a free time slice look for it. */
  syncDue: 'sync',
  /** Grants may be due for revocation. */
  revocationsDue: 'revocations-due',
  tokensRevoked: 'tokens-revoked',
  /** Events may be due for delivery. The trigger that queues deliveries notifies it too. */
  webhooksDue: 'webhooks-due',
  /** Records of an organization have changed. */
  changesOf: (organizationId: string) => `changes:${organizationId}`,
  /** The status of a connect link has changed. */
  link: (id: string) => `connect-link:${id}`,
} as const;
