import type { EndpointName } from '@connector-auth/api';
import type { AdminEndpointName } from '@connector-auth/api/admin';
import {
  adminExampleRequests,
  adminExampleValues,
  endpointExamples,
  exampleValues,
} from '@connector-auth/api/examples';
import { adminToken } from './test-service.ts';

/** The objects that an example request refers to. The request keeps the values of the contract for all others. */
export type Subject = Readonly<Partial<Record<keyof typeof exampleValues, string>>>;
/** The objects that an operator's example request refers to. */
export type AdminSubject = Readonly<Record<Exclude<keyof typeof adminExampleValues, 'key'>, string>>;

export interface Example {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** A key that the sandbox accepts. */
export const goodKey = 'grn_sandbox_demo';

/** Returns the example request of an endpoint for the objects of a test. */
export function exampleRequest(name: EndpointName, subject: Subject): Example {
  // No application of the tests has a redirect URL, so they use the service's own page.
  const redirectUrl = 'https://service.example/oauth/complete';
  return fill(endpointExamples[name].request, exampleValues, { redirectUrl, ...subject });
}

/** Returns the example request of an operators' endpoint for the objects of a test. */
export function adminExampleRequest(name: AdminEndpointName, subject: AdminSubject): Example {
  return fill(adminExampleRequests[name], adminExampleValues, { ...subject, key: adminToken });
}

/** Replaces the values of the contract's examples. Leaves out what would repeat an earlier response or wait. */
function fill(
  request: object,
  from: Readonly<Record<string, string>>,
  to: Readonly<Record<string, unknown>>,
): Example {
  const replacements = new Map(Object.entries(from).map(([name, value]) => [value, to[name] ?? value]));
  const omitted = ['Idempotency-Key', 'wait', 'wait_seconds'];
  return JSON.parse(JSON.stringify(request), (name, value: unknown) => {
    if (omitted.includes(name)) return undefined;
    return typeof value === 'string' ? (replacements.get(value) ?? value) : value;
  }) as Example;
}

/** Returns the path and query for an example request. */
export function addressOf(path: string, { params = {}, query }: Example): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return query === undefined ? filled : `${filled}?${new URLSearchParams(query).toString()}`;
}
