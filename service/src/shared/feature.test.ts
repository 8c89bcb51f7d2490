import type { Endpoint } from '@connector-auth/api';
import { adminEndpoints } from '@connector-auth/api/admin';
import { expect, test } from 'vitest';
import { vendorQuotas } from '../features/vendor-quotas/feature.ts';
import { adminHandlersOf, leftOut, type Feature } from './feature.ts';
import { Admission } from './http/admission.ts';
import type { HttpRequest, HttpResponse } from './http/locals.ts';
import { mountEndpoints, type MountOptions } from './http/mount-endpoints.ts';

const { listSessions, listVendorQuotas } = adminEndpoints;
const contract = { listSessions, listVendorQuotas };
const sessions = { adminHandlers: { listSessions: async () => ({ data: [] }) } } satisfies Feature;
const options: MountOptions = {
  authenticate: () => Promise.reject(new Error('Not called')),
  admission: new Admission({ perAddress: 1, perCustomer: 1, perApplication: 1 }),
  audit: { log: undefined as never, isRequired: false },
  ownOrigin: 'https://service.example',
  validateResponses: false,
};

test('the endpoints of a feature that is left out are not mounted', () => {
  const handlers = adminHandlersOf([sessions, leftOut(vendorQuotas)] as const);
  const serve = mountEndpoints(contract, handlers, options);
  const isServed = ({ path }: Endpoint): boolean => {
    const served = serve({ url: path } as HttpRequest, { locals: {} } as HttpResponse);
    served?.catch(() => {});
    return served !== null;
  };
  expect(isServed(listSessions)).toBe(true);
  expect(isServed(listVendorQuotas)).toBe(false);
});

test('an endpoint that no feature handles is a compile-time error', () => {
  const handlers = adminHandlersOf([sessions] as const);
  // @ts-expect-error -- `listVendorQuotas` has no handler
  mountEndpoints(contract, handlers, options);
});
