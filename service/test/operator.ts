import { expect } from 'vitest';
import { adminToken, type TestResponse, type TestService } from './test-service.ts';

/** The origin of the console of test services. */
export const consoleOrigin = 'https://service.example';

/** Creates an admin key. */
export async function createKey(
  service: TestService,
  body: Readonly<Record<string, unknown>> = {},
): Promise<{ id: string; key: string }> {
  const response = await service.ask('POST', '/api/v1/admin/keys', {
    token: adminToken,
    body: { name: 'Key', access: 'write', ...body },
  });
  expect(response.status, response.text).toBe(201);
  return response.body;
}

/** Signs in to the console, and returns the headers that its pages send. */
export async function signIn(
  service: TestService,
  key: string,
  sent: Readonly<Record<string, string>> = {},
): Promise<{ cookie: string; origin: string; 'sec-fetch-site': string }> {
  const response = await service.ask('POST', '/api/v1/admin/session', {
    body: { key },
    headers: { origin: consoleOrigin, ...sent },
  });
  expect(response.status, response.text).toBe(200);
  return { cookie: cookieOf(response), origin: consoleOrigin, 'sec-fetch-site': 'same-origin' };
}

/** Returns the cookie that a response sets, as a browser sends it. */
export function cookieOf(response: TestResponse): string {
  return String(response.headers['set-cookie']).split(';')[0] ?? '';
}
