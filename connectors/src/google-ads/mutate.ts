import { z } from 'zod';
import { asArray, asObject } from '../kind/record.ts';
import type { Vendor, VendorResponse } from '../kind/vendor.ts';
import { sendAbout } from './login.ts';
import { customerId } from './settings.ts';
import { callerOf, requestMutation, type MutationService } from './wire.ts';

/** The result of an update or create. Google's other members are passed through. */
export const mutation = z.looseObject({
  results: z
    .array(z.looseObject({ resourceName: z.string().optional() }))
    .describe('One object per operation, in order, with its `resourceName`'),
});
export type Mutation = z.infer<typeof mutation>;

/**
 * Params for an action that writes: the account and its operations. Each operation must contain the object to
 * write, which the specification declares as optional: Google rejects the whole request otherwise.
 */
export function mutateParams<Operation extends z.ZodType>(
  written: 'create' | 'update',
  operation: Operation,
) {
  return z.strictObject({
    customer_id: customerId.describe('ID of the account to change, 10 digits'),
    operations: z
      .array(operation)
      .min(1)
      .max(10_000, 'Google Ads accepts at most 10,000 operations per request')
      .check(
        z.superRefine(
          (operations, context) => {
            for (const [index, given] of operations.entries()) {
              const isEmpty = asObject(given)[written] === undefined;
              if (isEmpty) context.addIssue({ code: 'custom', path: [index, written], message: 'Required' });
            }
          },
          // Checked even if other fields are invalid, so that all issues are reported together.
          { when: ({ value }) => Array.isArray(value) && value.length <= 10_000 },
        ),
      )
      .describe('Operations to perform. Either all of them succeed or none.'),
  });
}

/** A resource name, such as `customers/6120459183/labels/22900000077`. */
export function resourceName(collection: 'campaigns' | 'adGroups' | 'labels') {
  const shape = `customers/<customer id>/${collection}/<id>`;
  return z.string().regex(new RegExp(`^customers/\\d{10}/${collection}/\\d+$`), `Use the format ${shape}`);
}

/** Sends operations, which must be in Google's format. */
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

/**
 * Parses the results of operations. The result of an operation that failed while others succeeded (see
 * `partialFailureError`) is an empty object.
 */
function readMutation({ body }: VendorResponse): Mutation {
  const { results, ...more } = asObject(body);
  return { ...more, results: asArray(results).map(result => ({ ...asObject(result) })) };
}
