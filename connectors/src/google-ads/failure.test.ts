import { readdirSync } from 'node:fs';
import type { ConnectorAuthError } from '@connector-auth/api';
import { describe, expect, test } from 'vitest';
import { credentials, sample } from '../../test/google-ads.ts';
import { vendorError } from '../kind/failure.ts';
import type { VendorResponse } from '../kind/vendor.ts';
import { readFailure } from './failure.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

/** Returns the error that a response causes for a connector with the given auth method. */
function thrownFor(response: VendorResponse, method: 'credentials' | 'oauth'): ConnectorAuthError {
  const failure = readFailure(response, now, { method, credentials, state: {}, settings: {} });
  if (failure === null) throw new Error('the response was read as a success');
  return vendorError('Google Ads', response.status, failure);
}

/** Returns an error response with one Google Ads error. */
function rejection(status: number, family: string, value: string): VendorResponse {
  const details = [{ errors: [{ errorCode: { [family]: value }, message: `message of ${value}` }] }];
  return { status, headers: {}, body: { error: { code: status, message: 'Refused.', details } } };
}

describe('Google Ads error samples', () => {
  test.each([
    ['error_400_customer_id', 'vendor_refused_request', 'requestError.INVALID_CUSTOMER_ID', []],
    [
      'error_400_duplicate_label',
      'vendor_refused_request',
      'labelError.DUPLICATE_NAME',
      ['params.operations.0.create.name'],
    ],
    [
      'error_400_field_mask_missing',
      'vendor_refused_request',
      'fieldMaskError.FIELD_MASK_MISSING',
      ['params.operations.0.updateMask'],
    ],
    [
      'error_400_manager_metrics',
      'vendor_refused_request',
      'queryError.REQUESTED_METRICS_FOR_MANAGER',
      ['params.query'],
    ],
    [
      'error_400_page_size',
      'vendor_refused_request',
      'requestError.PAGE_SIZE_NOT_SUPPORTED',
      ['params.pageSize'],
    ],
    [
      'error_400_page_token',
      'vendor_refused_request',
      'requestError.INVALID_PAGE_TOKEN',
      ['params.pageToken'],
    ],
    ['error_400_query', 'vendor_refused_request', 'queryError.UNRECOGNIZED_FIELD', ['params.query']],
    ['error_400_unknown_field', 'vendor_refused_request', null, ['params.operations.0.create']],
    ['error_401_google', 'reauthentication_required', 'ACCESS_TOKEN_EXPIRED', []],
    ['error_401_not_ads_user', 'reauthentication_required', 'authenticationError.NOT_ADS_USER', []],
    [
      'error_403_customer_not_enabled',
      'vendor_permission_missing',
      'authorizationError.CUSTOMER_NOT_ENABLED',
      [],
    ],
    [
      'error_403_dev_token',
      'vendor_permission_missing',
      'authorizationError.DEVELOPER_TOKEN_NOT_APPROVED',
      [],
    ],
    ['error_403_permission', 'vendor_permission_missing', 'authorizationError.USER_PERMISSION_DENIED', []],
    ['error_429_quota', 'vendor_rate_limited', 'quotaError.RESOURCE_EXHAUSTED', []],
    ['error_500', 'vendor_failed', 'internalError.INTERNAL_ERROR', []],
    ['error_stream_array_400', 'vendor_refused_request', 'queryError.UNRECOGNIZED_FIELD', ['params.query']],
  ] as const)('reads %s as %s', (name, code, vendorCode, paths) => {
    const response = sample(name);
    const error = thrownFor(response, 'credentials');
    expect(error.code).toBe(code);
    expect(error.vendor).toMatchObject({ name: 'Google Ads', status: response.status, code: vendorCode });
    expect(error.vendor?.message).toBeTruthy();
    expect(error.errors.map(({ path }) => path)).toEqual(paths);
  });

  test('covers every error sample', () => {
    const files = readdirSync(new URL('fixtures/', import.meta.url));
    expect(files.filter(name => name.startsWith('error_'))).toHaveLength(16);
  });

  test('returns how long to wait until quota is available', () => {
    expect(thrownFor(sample('error_429_quota'), 'credentials').retryAfterSeconds).toBe(30);
  });
});

describe('Google Ads failures', () => {
  test('does not classify a success as a failure', () => {
    const grant = { method: 'credentials', credentials, state: {}, settings: {} };
    expect(readFailure({ status: 200, headers: {}, body: {} }, now, grant)).toBeNull();
  });

  test.each([
    [401, 'authenticationError', 'DEVELOPER_TOKEN_INVALID'],
    [403, 'authorizationError', 'DEVELOPER_TOKEN_PROHIBITED'],
    [403, 'authorizationError', 'DEVELOPER_TOKEN_NOT_APPROVED'],
    [403, 'authorizationError', 'CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION'],
    [400, 'requestError', 'DEVELOPER_TOKEN_PARAMETER_MISSING'],
  ] as const)('reports an operator error for the operator’s token: %i %s.%s', (status, family, value) => {
    expect(thrownFor(rejection(status, family, value), 'oauth').code).toBe('vendor_misconfigured');
  });

  test("reports the customer's developer token as the invalid field", () => {
    const error = thrownFor(rejection(401, 'authenticationError', 'DEVELOPER_TOKEN_INVALID'), 'credentials');
    expect(error.code).toBe('reauthentication_required');
    expect(error.errors.map(({ path }) => path)).toEqual(['credentials.developer_token']);
  });

  test.each([
    ['a version that is being removed', rejection(400, 'requestError', 'UNSUPPORTED_VERSION')],
    ['a version that is gone, as HTML', { status: 404, headers: {}, body: undefined }],
    [
      'a version that is gone, as JSON',
      { status: 404, headers: {}, body: { error: { code: 404, message: 'Gone' } } },
    ],
  ])('blames the API version setting for %s', (_name, response) => {
    expect(thrownFor(response, 'credentials').code).toBe('vendor_misconfigured');
  });

  test('classifies a 401 for an unknown customer id as not found, not as rejected credentials', () => {
    const error = thrownFor(rejection(401, 'authenticationError', 'CUSTOMER_NOT_FOUND'), 'credentials');
    expect(error.code).toBe('record_not_found');
  });

  test.each([
    [404, 'requestError', 'RESOURCE_NOT_FOUND', 'record_not_found'],
    [409, 'databaseError', 'CONCURRENT_MODIFICATION', 'vendor_failed'],
    [400, 'databaseError', 'CONCURRENT_MODIFICATION', 'vendor_failed'],
    [503, 'internalError', 'TRANSIENT_ERROR', 'vendor_failed'],
    [429, 'quotaError', 'RESOURCE_TEMPORARILY_EXHAUSTED', 'vendor_rate_limited'],
  ] as const)('reads %i %s.%s as %s', (status, family, value, code) => {
    expect(thrownFor(rejection(status, family, value), 'credentials').code).toBe(code);
  });

  test.each([
    { status: 502, headers: {}, body: undefined },
    { status: 503, headers: {}, body: null },
    { status: 500, headers: {}, body: { error: 'odd' } },
    { status: 500, headers: {}, body: [] },
  ])('reads an unknown response by its status: %o', response => {
    expect(thrownFor(response, 'credentials').code).toBe('vendor_failed');
  });

  test('returns the wait in the header if the body does not specify one', () => {
    const response = {
      status: 429,
      headers: { 'retry-after': '7' },
      body: { error: { code: 429, message: 'Slow' } },
    };
    expect(thrownFor(response, 'credentials').retryAfterSeconds).toBe(7);
  });
});
