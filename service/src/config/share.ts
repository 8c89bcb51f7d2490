import type { Configuration } from './configuration.ts';

/** Returns the configuration of one worker, with its share of the limits that the workers divide. */
export function shareOf(configuration: Configuration): Configuration {
  const { workers, requestLimits } = configuration;
  const share = (total: number): number => Math.ceil(total / workers);
  return {
    ...configuration,
    // PostgreSQL rejects connections above its limit, so the shares must not add up to more.
    databaseConnections: Math.floor(configuration.databaseConnections / workers),
    requestLimits: {
      perAddress: share(requestLimits.perAddress),
      perCustomer: share(requestLimits.perCustomer),
      perApplication: share(requestLimits.perApplication),
    },
    maxConcurrentExecutes: share(configuration.maxConcurrentExecutes),
    vendorResponseMiB: share(configuration.vendorResponseMiB),
  };
}
