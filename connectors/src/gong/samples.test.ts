import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { call, readCall } from './call-record.ts';
import { callTranscript, readTranscript } from './call-transcripts.ts';
import { extensiveCall, readExtensiveCall } from './calls-extensive.ts';
import { readFailure } from './failure.ts';
import { gong } from './index.ts';
import { refresh } from './tokens.ts';
import { readUser, user } from './users.ts';
import { readPage } from './wire.ts';

const now = Date.parse('2026-11-20T12:00:00Z');

function fixture(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8'));
}

/** Returns a sample as a response, with status and headers if it is an error. */
function sample(name: string) {
  if (!/error/.test(name)) return { status: 200, headers: {}, body: fixture(name) };
  const { status, headers, body } = fixture(name) as {
    status: number;
    headers: Record<string, string>;
    body: unknown;
  };
  const lowered = Object.entries(headers).map(([key, value]) => [key.toLowerCase(), value] as const);
  return { status, headers: Object.fromEntries(lowered), body };
}

const lists: [string, string, z.ZodObject, (wire: unknown) => Record<string, unknown>][] = [
  ['users', 'users', user, readUser],
  ['calls', 'calls', call, readCall],
  ['calls_extensive', 'calls', extensiveCall, readExtensiveCall],
  ['call_transcripts', 'callTranscripts', callTranscript, readTranscript],
];

describe('Gong samples', () => {
  test.each(lists)(
    'maps %s with all declared fields, all sent fields and the pagination',
    (name, collection, record, read) => {
      for (const page of [1, 2]) {
        const response = sample(`${name}_${page}`);
        const body = response.body as Record<string, object[]> & { records: Record<string, unknown> };
        const { result, connector_metadata } = readPage(response, collection, read);
        expect(result.length).toBe(body[collection]?.length);
        for (const [index, one] of result.entries()) {
          expect(Object.keys(one)).toEqual(expect.arrayContaining(Object.keys(record.shape)));
          expect(one).toMatchObject(body[collection]?.[index] ?? {});
          expect(record.safeParse(one).error).toBeUndefined();
        }
        expect(connector_metadata).toEqual({
          cursor: page === 1 ? body.records['cursor'] : null,
          has_more: page === 1,
          total_records: body.records['totalRecords'],
          current_page_number: page - 1,
        });
      }
    },
  );

  test('maps blocks that were not selected to null', () => {
    const { result } = readPage(sample('calls_extensive_2'), 'calls', readExtensiveCall);
    expect(result[0]).toMatchObject({
      metaData: { id: '7001234567890123451', sdrDisposition: 'Got the meeting' },
      context: null,
      parties: null,
      content: null,
      interaction: null,
      collaboration: null,
      media: null,
    });
  });

  test('reads a 404 for an empty list as an empty page', () => {
    const response = sample('error_404_empty');
    expect(readFailure(response, now)).toBeNull();
    expect(readPage(response, 'calls', readCall)).toEqual({
      result: [],
      connector_metadata: { cursor: null, has_more: false, total_records: 0, current_page_number: null },
    });
  });

  test('treats a page without `records` as the last page', () => {
    const { connector_metadata } = readPage(
      { status: 200, headers: {}, body: { users: [] } },
      'users',
      readUser,
    );
    expect(connector_metadata).toMatchObject({ cursor: null, has_more: false, total_records: null });
  });

  test.each([
    ['error_400', 'request'],
    ['error_401', 'credentials'],
    ['error_403_ip', 'permission'],
    ['error_404_unknown_id', 'not_found'],
    ['error_429', 'rate_limit'],
    ['error_429_daily', 'rate_limit'],
    ['error_500', 'vendor'],
  ])("reads %s as %s with the vendor's message", (name, kind) => {
    const response = sample(name);
    const [message] = (response.body as { errors: string[] }).errors;
    expect(readFailure(response, now)).toMatchObject({ kind, message });
  });

  test('returns how long to wait once the daily limit is used up', () => {
    expect(readFailure(sample('error_429_daily'), now)).toMatchObject({ retryAfterSeconds: 14_400 });
  });

  test('reads error sentences from strings and objects', () => {
    const messageOf = (body: unknown) => readFailure({ status: 400, headers: {}, body }, now)?.message;
    expect(messageOf({ errors: [{ message: 'one' }, 'two'] })).toBe('one; two');
    expect(messageOf({})).toBeNull();
    expect(messageOf(null)).toBeNull();
    expect(messageOf(undefined)).toBeNull();
  });
});

describe('Gong token responses', () => {
  const grant = {
    method: 'oauth',
    credentials: { refresh_token: 'r0', client_id: 'c', client_secret: 's' },
    state: { api_base_url_for_customer: 'https://company-17.api.gong.io' },
    settings: {},
  };

  test('reads the new token pair, the API host and the expiry from a token response', () => {
    const renewed = refresh.read(sample('token_refresh'), { ...grant, state: {} }, now);
    expect(renewed.credentials).toEqual({
      ...grant.credentials,
      access_token: 'eyJhbGciOi.sample.access-2',
      refresh_token: 'eyJhbGciOi.sample.refresh-2',
    });
    expect(renewed.state).toEqual({
      api_base_url_for_customer: 'https://company-17.api.gong.io',
      access_token_expires_at: '2026-11-21T12:00:00.000Z',
    });
    expect(refresh.isDue(renewed, now)).toBe(false);
    expect(refresh.isDue(renewed, now + 86_341_000)).toBe(true);
  });

  test.each([
    'https://gong.example',
    'http://company-17.api.gong.io',
    'https://company-17.api.gong.io.evil.example',
    'https://evil-api.gong.io',
    'https://user:pass@api.gong.io',
    'https://api.gong.io:8443',
    'file:///etc/passwd',
    'company-17',
    42,
  ])('a token response with %s yields the new pair without that host', api_base_url_for_customer => {
    const body = { ...(fixture('token_refresh') as object), api_base_url_for_customer };
    const renewed = refresh.read({ status: 200, headers: {}, body }, grant, now);
    expect(renewed.credentials['refresh_token']).toBe('eyJhbGciOi.sample.refresh-2');
    expect(renewed.state['api_base_url_for_customer']).toBe('https://company-17.api.gong.io');
  });

  const errorOf = (
    status: number,
    body: unknown,
    credentials: Record<string, unknown> = grant.credentials,
  ) => {
    try {
      refresh.read({ status, headers: { 'retry-after': '7' }, body }, { ...grant, credentials }, now);
    } catch (error) {
      return error;
    }
    return null;
  };

  test('requires consent only if a token error rejects the refresh token', () => {
    const { status, body } = sample('token_error_reused');
    expect(errorOf(status, body)).toMatchObject({
      code: 'reauthentication_required',
      errors: [{ path: 'credentials.refresh_token' }],
    });
    expect(errorOf(400, { requestId: 'x', errors: ['Refresh token is not valid'] })).toMatchObject({
      code: 'reauthentication_required',
    });
    expect(errorOf(500, null)).toMatchObject({ code: 'vendor_failed' });
    expect(errorOf(200, undefined)).toMatchObject({ code: 'vendor_failed' });
    expect(errorOf(200, { access_token: null })).toMatchObject({ code: 'vendor_failed' });
    expect(errorOf(429, {})).toMatchObject({ code: 'vendor_rate_limited', retryAfterSeconds: 7 });
  });

  test("distinguishes token errors for the operator's OAuth app from those for the customer's", () => {
    const body = { error: 'invalid_client' };
    expect(errorOf(401, body)).toMatchObject({
      code: 'reauthentication_required',
      errors: [{ path: 'credentials.client_secret' }],
    });
    expect(errorOf(401, body, { refresh_token: 'r0' })).toMatchObject({ code: 'vendor_misconfigured' });
  });
});

describe('Gong fields', () => {
  const vendorFields = fixture('vendor-fields') as Record<'records' | 'search', Record<string, unknown>>;

  test.each(Object.entries(gong.entities))(
    "%s declares exactly the record fields of Gong's documentation",
    (name, { actions }) => {
      const schema = z.toJSONSchema(actions.list.record, { unrepresentable: 'any' });
      // The list of fields lacks the block that the samples and the vendor's documentation have.
      const also = name === 'calls_extensive' ? { context: 'array[object]' } : {};
      expect(notation(schema)).toEqual({ ...(withoutNull(vendorFields.records[name]) as object), ...also });
    },
  );

  test.each(['users', 'calls', 'calls_extensive'] as const)(
    '%s declares exactly the searchable fields of the specification',
    name => {
      const { fields } = gong.entities[name].search;
      const differing =
        // Ids have more digits than a safe integer, and the context of a call is a list.
        name === 'calls_extensive' ? { id: 'string', context: 'array' } : {};
      expect(fields).toEqual({ ...(vendorFields.search[name] as object), ...differing });
    },
  );

  /** Describes a JSON Schema in the notation of the fixture, ignoring null. */
  function notation(schema: unknown): unknown {
    const { type, anyOf, properties, items } = schema as {
      type?: string | string[];
      anyOf?: object[];
      properties?: Record<string, unknown>;
      items?: object;
    };
    const types = [type ?? []].flat().filter(one => one !== 'null');
    if (anyOf) {
      const parts = anyOf.map(notation).flat();
      const nonNull = parts.filter(part => part !== 'null');
      return nonNull.length === 1 ? nonNull[0] : nonNull.join('|');
    }
    if (properties)
      return Object.fromEntries(Object.entries(properties).map(([key, value]) => [key, notation(value)]));
    if (items) {
      const inner = notation(items);
      return typeof inner === 'string' ? `array[${inner}]` : { array_of: inner };
    }
    return types.length === 0 ? type : types.join('|');
  }

  function withoutNull(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll('?', '');
    return Object.fromEntries(
      Object.entries(value as object).map(([key, inner]) => [key, withoutNull(inner)]),
    );
  }
});
