/** Google Ads over a scripted transport: the token endpoint always responds, API calls follow the script. */
import { readFileSync } from 'node:fs';
import { parseJson } from '@connector-auth/api';
import { GoogleAds } from '../src/google-ads/index.ts';
import { unlimited } from '../src/kind/rate-limit.ts';
import { asObject } from '../src/kind/record.ts';
import type { OpenOptions } from '../src/kind/runner.ts';
import type { Transport } from '../src/kind/transport.ts';
import type { VendorResponse } from '../src/kind/vendor.ts';
import { scriptedTransport } from './scripted.ts';

/** Returns a sample from the vendor: the whole response for an error, otherwise the body of a 200. */
export function sample(name: string): Pick<VendorResponse, 'status' | 'headers' | 'body'> {
  const json = fixture(name);
  const { status, headers, body } = asObject(json);
  if (typeof status !== 'number') return { status: 200, headers: {}, body: json };
  return { status, headers: headers as VendorResponse['headers'], body };
}

/** Returns a parsed file from the Google Ads fixtures. */
export function fixture(name: string): unknown {
  const file = new URL(`../src/google-ads/fixtures/${name}.json`, import.meta.url);
  return parseJson(readFileSync(file, 'utf8'));
}

export const credentials = {
  client_id: '1234567890-abc.apps.googleusercontent.com',
  client_secret: 'GOCSPX-secret',
  refresh_token: '1//0gSampleRefresh',
  developer_token: 'developer-token-of-acme',
};

/** The customer id in the samples. */
export const customer_id = '6120459183';

/**
 * Creates a Google Ads connector with scripted API responses. `requests` contains the requests to the API,
 * and `tokenRequests` contains those for access tokens.
 */
export function scriptedGoogleAds(
  script: Parameters<typeof scriptedTransport>,
  options: Partial<OpenOptions> = {},
) {
  const api = scriptedTransport(...script);
  const tokenRequests: Parameters<Transport>[0][] = [];
  const transport: Transport = (request, call) => {
    if (!request.url.startsWith('https://oauth2.')) return api.transport(request, call);
    tokenRequests.push(request);
    return Promise.resolve({ ...sample('oauth_token_2_refresh') });
  };
  const googleAds = new GoogleAds({ credentials, transport, limiter: unlimited, ...options });
  // Bypasses the type checks, so that tests can pass values that callers in plain JavaScript could pass.
  const untyped = googleAds as unknown as {
    execute(entity: string, action: string, params?: unknown): Promise<unknown>;
  };
  const run: typeof untyped.execute = (...call) => untyped.execute(...call);
  return { googleAds, run, requests: api.requests, left: api.left, tokenRequests };
}

/** Returns the error that a promise rejects with. */
export async function errorOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    value => new Error(`it succeeded: ${JSON.stringify(value)}`),
    (error: unknown) => error,
  );
}
