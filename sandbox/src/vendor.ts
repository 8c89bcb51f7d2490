/** What a vendor consists of that a sandbox loads by `VENDORS` (`@connector-auth/sandbox/vendor`). */
export { BUSINESSES, type Business } from './invented/businesses.ts';
export { inventPeople, type Person } from './invented/people.ts';
export type { Random } from './simulator/random.ts';
export type { Reply } from './simulator/reply.ts';
export type { Credential, Dialect, Simulation, Vendor, VendorContext } from './simulator/vendor.ts';
