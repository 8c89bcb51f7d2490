import type { Page, Route } from 'playwright';
import type { z } from 'zod';
import { adminEndpoints, type AdminEndpointName } from '../../api/src/admin.ts';
import { problems, type Endpoint, type ProblemCode } from '../../api/src/index.ts';

type ResponseOf<Name extends AdminEndpointName> = z.output<
  Extract<(typeof adminEndpoints)[Name]['response'], z.ZodType>
>;

/** Changes what the service responds with from now on. The changed response must match the contract. */
export async function changeResponses<Name extends AdminEndpointName>(
  page: Page,
  name: Name,
  change: (response: ResponseOf<Name>) => ResponseOf<Name>,
): Promise<void> {
  await intercept(page, name, async (route, { response: schema }) => {
    const response = await route.fetch();
    // The schema is the one of the endpoint with this name.
    const parse = (value: unknown) => schema?.parse(value) as ResponseOf<Name>;
    await route.fulfill({ response, json: parse(change(parse(await response.json()))) });
  });
}

/** Responds to an endpoint’s requests without the service, with a response that matches the contract. */
export async function respond<Name extends AdminEndpointName>(
  page: Page,
  name: Name,
  response: ResponseOf<Name>,
): Promise<void> {
  await intercept(page, name, (route, { response: schema, status }) =>
    route.fulfill({ status, json: schema?.parse(response) }),
  );
}

/** Rejects an endpoint’s requests from now on, or only the number in `times`. */
export async function rejectRequests(
  page: Page,
  name: AdminEndpointName,
  { code, detail, times }: { readonly code: ProblemCode; readonly detail: string; readonly times?: number },
): Promise<void> {
  const { status, title } = problems[code];
  const problem = {
    type: `urn:connector-auth:problem:${code}`,
    title,
    status,
    detail,
    code,
    request_id: 'f3d0c2',
  };
  await intercept(
    page,
    name,
    route => route.fulfill({ status, contentType: 'application/problem+json', json: problem }),
    times,
  );
}

/** Handles an endpoint’s requests in place of the network. */
export async function intercept(
  page: Page,
  name: AdminEndpointName,
  handle: (route: Route, endpoint: Endpoint) => Promise<void>,
  times?: number,
): Promise<void> {
  const endpoint: Endpoint = adminEndpoints[name];
  let left = times ?? Infinity;
  await page.route(isAbout(endpoint), async route => {
    if (route.request().method() !== endpoint.method || left === 0) return route.fallback();
    left -= 1;
    await handle(route, endpoint);
  });
}

/** Returns the name of the endpoint that a request is for, or null if it is for none. */
export function nameOfRequest(method: string, url: string): AdminEndpointName | null {
  const found = (Object.entries(adminEndpoints) as [AdminEndpointName, Endpoint][]).find(
    ([, endpoint]) => endpoint.method === method && isAbout(endpoint)(new URL(url)),
  );
  return found?.[0] ?? null;
}

function isAbout({ path }: Endpoint): (url: URL) => boolean {
  const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
  return ({ pathname }) => pattern.test(pathname);
}
