import { z } from 'zod';
import { defineAction, type Entity } from '../kind/kind.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { en } from './messages/en.ts';
import { callerOf, idOfCustomer, readAccessibleCustomers, requestAccessibleCustomers } from './wire.ts';

const record = z.object({
  resourceNames: z
    .array(
      z.object({
        resourceName: z.string().describe('`customers/<customer id>`'),
        customerId: z.string().describe('10 digits, as in other actions'),
      }),
    )
    .describe('Accounts that the user can access directly, without the client accounts of manager accounts'),
});
export type AccessibleCustomers = z.infer<typeof record>;

/**
 * The accounts that the authenticated user can access directly. The list always contains exactly one record.
 */
export const accessibleCustomers = {
  ...en.accessibleCustomers,
  description: 'Accounts that the user can access directly',
  actions: {
    list: defineAction({
      summary: 'List the accounts that the user can access directly',
      params: z.strictObject({}),
      record,
      run: async (_params, vendor) => ({
        result: [readRecord(await vendor.send(requestAccessibleCustomers(callerOf(vendor))))],
        connector_metadata: null,
      }),
    }),
  },
} as const satisfies Entity;

/**
 * Google returns resource names, but the specification declares objects. Converts each name to an object with
 * the name and the ID parsed from it.
 */
function readRecord(response: VendorResponse): AccessibleCustomers {
  const names = readAccessibleCustomers(response);
  return {
    resourceNames: names.map(resourceName => ({ resourceName, customerId: idOfCustomer(resourceName) })),
  };
}
