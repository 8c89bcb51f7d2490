import { parseOrigin, validate, type Issue } from '@connector-auth/api';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyCharacters } from '../../scripts/any-characters.ts';
import { allowedOrigins, type AllowedOrigins } from './allowed-origins.ts';

describe('https://*.example.com', () => {
  const allows = parse(['https://*.example.com']);

  test.each(['https://app.example.com', 'https://a-b.example.com', 'https://xn--bcher-kva.example.com'])(
    'allows %s',
    async origin => expect(await allows(origin)).toBe(true),
  );

  test.each([
    'https://example.com',
    'https://a.b.example.com',
    'https://.example.com',
    'https://*.example.com',
    'https://app.example.com.',
    'https://app.example.com:8443',
    'http://app.example.com',
    'https://app.example.com.evil.example',
    'https://appexample.com',
    'https://app.example.com@evil.example',
    'https://evil.example#.example.com',
    'https://evil.example/.example.com',
    'https://APP.example.com',
    'https://app.example.com/',
    'null',
    '',
  ])('rejects %s', async origin => expect(await allows(origin)).toBe(false));

  test('matches exactly one label', async () => {
    const label = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,10}[a-z0-9])?$/);
    await fc.assert(
      fc.asyncProperty(fc.array(label, { maxLength: 3 }), async labels => {
        const origin = `https://${[...labels, 'example.com'].join('.')}`;
        fc.pre(parseOrigin(origin) === origin);
        expect(await allows(origin)).toBe(labels.length === 1);
      }),
    );
  });

  test('never allows an origin of another site', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webUrl(), async url => {
        const { origin, hostname } = new URL(url);
        expect(await allows(origin)).toBe(hostname.endsWith('.example.com'));
      }),
    );
  });
});

test.each([
  ['https://*.app.example.com:8443', 'https://a.app.example.com:8443', 'https://a.app.example.com'],
  ['https://*.Example.COM:443', 'https://a.example.com', 'https://a.example.com:444'],
  ['https://*.bücher.example', 'https://a.xn--bcher-kva.example', 'https://xn--bcher-kva.example'],
  ['http://*.localhost:3000', 'http://acme.localhost:3000', 'http://localhost:3000'],
  ['http://*.localhost', 'http://acme.localhost', 'http://acme.localhost:3000'],
  ['http://*.localhost', 'http://acme.localhost', 'http://a.b.localhost'],
  ['https://*.acme.github.io', 'https://a.acme.github.io', 'https://a.other.github.io'],
])('%s allows %s and rejects %s', async (pattern, allowed, rejected) => {
  expect(issuesOf([pattern])).toEqual([]);
  const allows = parse([pattern]);
  expect([await allows(allowed), await allows(rejected)]).toEqual([true, false]);
});

describe('invalid patterns', () => {
  test.each([
    'https://*.com',
    'https://*.co.uk',
    'https://*.github.io',
    'https://*.vercel.app',
    'https://*.kawasaki.jp',
    'https://*.compute.amazonaws.com',
    'https://*.internal',
  ])('reports that %s is under a public suffix', pattern => {
    expect(issuesOf([pattern])).toEqual([
      { path: 'allowedOrigins.0', message: expect.stringContaining('public suffix') },
    ]);
  });

  test.each([
    '*',
    '*.example.com',
    'https://*',
    'https://*.',
    'https://*.*.example.com',
    'https://a.*.example.com',
    'https://*app.example.com',
    'https://app-*.example.com',
    'https://*.example.com/',
    'https://*.example.com/path',
    'https://*.example.com:*',
    'https://*.user@example.com',
    'https://*.1.2.3.4',
    'https://*.[::1]',
    'http://*.example.com',
    'http://*.127.0.0.1:3000',
    'https://＊.example.com/*',
  ])('reports %s', pattern => {
    expect(issuesOf(['https://app.example.com', pattern])).toEqual([
      { path: 'allowedOrigins.1', message: expect.stringContaining('https://*.example.com') },
    ]);
  });

  test('reports any text that is neither an origin nor a pattern, and never throws', () => {
    fc.assert(
      fc.property(anyCharacters(), text => {
        const isAccepted = issuesOf([text]).length === 0;
        if (!text.includes('*')) expect(isAccepted).toBe(parseOrigin(text) !== null);
        const asPattern = issuesOf([`https://*${text}`]).length === 0;
        if (asPattern) expect(parseOrigin(`https://a${text}`)).not.toBeNull();
      }),
    );
  });
});

describe('a function', () => {
  test('is called only with origins for which a token can be minted', async () => {
    const seen: string[] = [];
    const allows = parse(origin => {
      seen.push(origin);
      return true;
    });
    const origins = [
      'https://a.example',
      'null',
      'http://a.example',
      'https://A.example',
      'https://a.example/',
      '',
    ];
    expect(await Promise.all(origins.map(allows))).toEqual([true, false, false, false, false, false]);
    expect(seen).toEqual(['https://a.example']);
  });

  test('can be asynchronous', async () => {
    const allows = parse(origin => Promise.resolve(origin === 'https://a.example'));
    expect([await allows('https://a.example'), await allows('https://b.example')]).toEqual([true, false]);
  });

  test.each([undefined, null, 1, 'yes', {}])('must return true or false, not %j', async result => {
    // Callers in plain JavaScript can return any value.
    const allows = parse(() => result as boolean);
    await expect(allows('https://a.example')).rejects.toThrow('allowedOrigins must return true or false');
  });
});

/** Only valid options. */
function parse(allowed: AllowedOrigins): (origin: string) => Promise<boolean> {
  return allowedOrigins.parse(allowed);
}

function issuesOf(allowed: unknown): Issue[] {
  const result = validate(allowedOrigins, allowed, 'allowedOrigins');
  return result.ok ? [] : result.issues;
}
