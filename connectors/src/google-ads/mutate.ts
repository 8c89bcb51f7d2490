import { z } from 'zod';
import { asArray, asObject } from '../kind/record.ts';
import type { Vendor, VendorResponse } from '../kind/vendor.ts';
import { sendAbout } from './login.ts';
import { customerId } from './settings.ts';
import { callerOf, requestMutation, type MutationService } from './wire.ts';

/** What an update or create answers. Google's members beyond these are passed through. */
export const mutation = z.looseObject({
  results: z
    .array(z.looseObject({ resourceName: z.string().optional() }))
    .describe('One object per operation, in order, with its `resourceName`'),
});
export type Mutation = z.infer<typeof mutation>;

/** Params of an action that changes things: the account, and operations of one shape. */
export function mutateParams<Operation extends z.ZodType>(operation: Operation) {
  return z.strictObject({
    customer_id: customerId.describe('ID of the account to change, 10 digits'),
    operations: z
      .array(operation)
      .min(1)
      .max(10_000, 'Google Ads accepts at most 10,000 operations per request')
      .describe('Operations to perform. Either all of them succeed or none.'),
  });
}

/** The name of a resource, e.g. `customers/6120459183/labels/22900000077`. */
export function resourceName(collection: 'campaigns' | 'adGroups' | 'labels') {
  const shape = `customers/<customer id>/${collection}/<id>`;
  return z.string().regex(new RegExp(`^customers/\\d{10}/${collection}/\\d+$`), `Use the format ${shape}`);
}

/** Sends operations in Google's form and gives its answer. */
export async function mutate(
  vendor: Vendor,
  customerId: string,
  service: MutationService,
  operations: readonly unknown[],
): Promise<{ result: Mutation; connector_metadata: null }> {
  const request = requestMutation(callerOf(vendor), customerId, service, operations);
  return {
    result: readMutation(await sendAbout(vendor, customerId, request)),
    connector_metadata: null,
  };
}

/** The results of operations. An operation that failed alone (`partialFailureError` says why) has an empty object. */
export function readMutation({ body }: VendorResponse): Mutation {
  const { results, ...more } = asObject(body);
  return { ...more, results: asArray(results).map(result => ({ ...asObject(result) })) };
}
