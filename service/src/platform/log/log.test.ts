import { ConnectorAuthError } from '@connector-auth/api';
import { expect, test } from 'vitest';
import { createLog, type Log } from './log.ts';

function record(): { log: Log; lines: () => Record<string, unknown>[]; text: () => string } {
  const written: string[] = [];
  const log = createLog({ level: 'debug', destination: { write: line => void written.push(line) } });
  return {
    log,
    // pino writes one JSON object per line.
    lines: () => written.map(line => JSON.parse(line) as Record<string, unknown>),
    text: () => written.join(''),
  };
}

test('writes one JSON object per line with the level, the time, the event and the selected fields', () => {
  const { log, lines } = record();
  log.info('connector_created', { kind: 'granola', count: 3, id: 12345678901234567890n, nothing: null });
  expect(lines()).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      event: 'connector_created',
      kind: 'granola',
      count: 3,
      id: '12345678901234567890',
      nothing: null,
    },
  ]);
});

test('a child log adds the fields of its parent log', () => {
  const { log, lines } = record();
  log.with({ request_id: 'r1' }).warn('slow');
  expect(lines()[0]).toMatchObject({ level: 'warn', event: 'slow', request_id: 'r1' });
});

test.each([
  'client_secret',
  'clientSecret',
  'password',
  'authorization',
  'Authorization',
  'cookie',
  'set-cookie',
  'credentials',
  'api_key',
  'access_key',
  'access_token',
  'accessToken',
  'refresh_token',
  'token',
  'code_verifier',
  'state',
])('redacts a field named %s at any depth', name => {
  const { log, text } = record();
  log.info('event', { [name]: 'hush', outer: [{ [name]: { inner: 'hush' } }] });
  expect(text()).toContain('[redacted]');
  expect(text()).not.toContain('hush');
});

test('does not redact fields whose names only resemble secrets', () => {
  const { log, lines } = record();
  log.info('event', { status_code: 200, problem: 'token_expired', tokens_minted: 2 });
  expect(lines()[0]).toMatchObject({ status_code: 200, problem: 'token_expired', tokens_minted: 2 });
});

test('redacts the queries and passwords of URLs in any text', () => {
  const { log, text } = record();
  log.info('event', {
    url: 'https://app.example.com/done?secret_id=hush#top',
    path: '/oauth/callback?code=hush&state=hush',
    database: 'postgres://me:hush@db.example.com/agent',
    sentence: 'fetch of https://vendor.example/a?access_token=hush failed',
    question: 'Is this a question?',
  });
  expect(text()).not.toContain('hush');
  expect(text()).toContain('https://app.example.com/done?[redacted]');
  expect(text()).toContain('Is this a question?');
});

test('truncates long text in any field before redacting it', () => {
  const { log, text, lines } = record();
  const long = `${'a.'.repeat(500_000)}https://me:hush@vendor.example/a?key=hush`;
  log.info('event', { long, error: new Error(long, { cause: new Error(long) }) });
  expect(text().length).toBeLessThan(6 * 4_200);
  expect(text()).not.toContain('hush');
  expect(lines()[0]?.['long']).toMatch(/^(?:a\.){2048}…$/);
  // Truncation in the middle of a secret must not show its first half.
  log.info('event', {
    query: `https://vendor.example/${'a'.repeat(4060)}?key=hush${'x'.repeat(100)}`,
    text: `${'a'.repeat(4070)} https://me:hush${'x'.repeat(100)}@vendor.example/`,
  });
  expect(text()).not.toContain('hush');
});

test('writes only the type, code, message, stack and causes of an error', () => {
  const { log, lines, text } = record();
  const cause = Object.assign(new Error('GET https://vendor.example/a?key=hush failed'), {
    code: '23505',
    constraint: 'customers_name',
    detail: 'Key (name)=(hush) already exists',
    config: { headers: { authorization: 'hush' } },
  });
  log.error('request_failed', { error: new ConnectorAuthError('internal_error', 'It broke', { cause }) });
  expect(lines()[0]?.['error']).toMatchObject({
    type: 'ConnectorAuthError',
    code: 'internal_error',
    message: 'It broke',
    cause: { code: '23505', constraint: 'customers_name' },
  });
  expect(text()).not.toContain('hush');
});

test('logs values that JSON cannot represent', () => {
  const { log, lines } = record();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  log.info('event', { circular, bytes: Buffer.from('hush'), when: new Date(0), nothing: undefined });
  expect(lines()[0]).toMatchObject({ bytes: '[4 bytes]', when: '1970-01-01T00:00:00.000Z' });
});
