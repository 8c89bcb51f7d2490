import type { ProblemCode } from '@connector-auth/api';
import type { AdminWorld } from './admin-world.ts';
import { consoleOrigin } from './operator.ts';

/** A caller of an endpoint for operators, with the properties that determine its access. */
export interface AdminCallerCase {
  readonly title: string;
  readonly headers: (world: AdminWorld) => Readonly<Record<string, string>>;
  /** The error code that the key or session causes. */
  readonly error?: ProblemCode;
  readonly access?: 'read' | 'write';
  /** Whether the request comes from a page of another origin. */
  readonly isForeign?: boolean;
  /** Whether a browser's session sends the request, without a sign that it comes from the console. */
  readonly isUnmarked?: boolean;
}

const none = () => ({});
const at = (name: string) => (world: AdminWorld) => world.callers[name] ?? {};
const from =
  (name: string, marks: Readonly<Record<string, string>>) =>
  (world: AdminWorld): Readonly<Record<string, string>> => ({ ...world.callers[name], ...marks });
const cookieOnly = (name: string) => (world: AdminWorld) => ({
  cookie: world.callers[name]?.['cookie'] ?? '',
});
const authorization = (value: string) => () => ({ authorization: value });

const rejected = [
  { title: 'nothing', headers: none },
  { title: 'another scheme', headers: authorization('Basic YWRtaW46eA==') },
  { title: 'an unknown admin key', headers: authorization(`Bearer ca_admin_${'x'.repeat(43)}`) },
  { title: 'neither a key nor ADMIN_TOKEN', headers: authorization('Bearer secret') },
  { title: 'an unknown session', headers: () => ({ cookie: '__Host-connector-auth-admin=x' }) },
  { title: 'the cookie of an http page', headers: () => ({ cookie: 'connector-auth-admin=x' }) },
  ...[
    'expired key',
    'deleted key',
    'expired session',
    'ended session',
    'session of an expired key',
    'session of a deleted key',
    'application',
    'scoped',
    'widget',
  ].map(name => ({ title: name, headers: at(name) })),
].map((caller): AdminCallerCase => ({ ...caller, error: 'admin_key_invalid' }));

const accepted: AdminCallerCase[] = [
  { title: 'ADMIN_TOKEN', headers: at('ADMIN_TOKEN'), access: 'write' },
  { title: 'read key', headers: at('read key'), access: 'read' },
  { title: 'write key', headers: at('write key'), access: 'write' },
  {
    title: 'write key in a page of the console',
    headers: from('write key', { origin: consoleOrigin }),
    access: 'write',
  },
  { title: 'read session', headers: at('read session'), access: 'read' },
  { title: 'write session', headers: at('write session'), access: 'write' },
  { title: 'session of ADMIN_TOKEN', headers: at('session of ADMIN_TOKEN'), access: 'write' },
  {
    title: 'write session without a sign of its page',
    headers: cookieOnly('write session'),
    access: 'write',
    isUnmarked: true,
  },
];

const foreign = [
  { title: 'write session', marks: { origin: 'https://evil.example' } },
  { title: 'write session', marks: { origin: 'null' } },
  { title: 'write session', marks: { origin: `${consoleOrigin}.evil.example` } },
  { title: 'write session', marks: { 'sec-fetch-site': 'same-site' } },
  { title: 'write key', marks: { origin: 'https://evil.example' } },
  { title: 'ADMIN_TOKEN', marks: { 'sec-fetch-site': 'cross-site' } },
  { title: 'widget', marks: { origin: 'https://app.example' } },
].map(({ title, marks }): AdminCallerCase => ({
  title: `${title} in a page with ${Object.entries(marks).flat().join(' ')}`,
  headers: from(title, marks),
  isForeign: true,
}));

/** Every kind of caller of the endpoints for operators. */
export const adminCallers: readonly AdminCallerCase[] = [...rejected, ...accepted, ...foreign];
