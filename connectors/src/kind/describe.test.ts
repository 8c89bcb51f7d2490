import { describe, expect, test } from 'vitest';
import { things } from '../../test/scripted.ts';
import { kinds } from '../kinds.ts';
import {
  describeAccess,
  describeAuthMethods,
  describeEntities,
  describeSettings,
  integratorSettings,
} from './describe.ts';

describe('settings', () => {
  test('names the settings that only the integrator may set', () => {
    const byKind = Object.fromEntries(kinds.map(kind => [kind.key, integratorSettings(kind)]));

    expect(byKind).toStrictEqual({
      gong: [],
      'google-ads': ['conversion_window_days', 'api_version', 'access_level'],
      granola: [],
      'tiktok-marketing': [],
    });
  });

  test('states the audience of every setting in the JSON Schema', () => {
    const audiences = kinds.flatMap(kind => {
      const fields = Object.entries(describeSettings(kind)?.['properties'] ?? {});
      // Each property of a JSON Schema of settings is an object.
      return fields.map(([name, field]) => [
        kind.key,
        name,
        (field as Record<string, unknown>)['x-audience'],
      ]);
    });

    expect(audiences).toContainEqual(['google-ads', 'api_version', 'integrator']);
    expect(audiences).toContainEqual(['tiktok-marketing', 'advertiser_ids', 'customer']);
    expect(audiences.filter(([, , audience]) => audience === undefined)).toStrictEqual([]);
  });
});

describe('what customers read about a source', () => {
  test.each(kinds)('$key has a category and names the data that it reads', kind => {
    expect(kind.category).toMatch(/^[A-Z][a-z ]+$/);
    const { reads, changes } = describeAccess(kind, 'write');
    expect(reads.length).toBeGreaterThan(0);
    for (const noun of [...reads, ...changes]) expect(noun).toMatch(/^[a-z ]+$/);
    const canChange = Object.values(kind.entities).some(({ actions }) => actions.create ?? actions.update);
    expect(changes.length > 0).toBe(canChange);
  });

  test.each(kinds)('$key describes each of its entities in plain words', kind => {
    const entities = describeEntities(kind);
    expect(entities.map(({ name }) => name)).toStrictEqual(Object.keys(kind.entities));
    for (const { title, access } of entities) {
      expect(title).toMatch(/^[A-Z][a-z ]+$/);
      expect(access).toMatch(/^[A-Z][^_]+\.$/);
    }
    expect(new Set(entities.map(({ title }) => title)).size).toBe(entities.length);
  });

  test.each(kinds)('$key declares its scopes, and how users obtain credentials to paste', kind => {
    for (const { consent } of kind.authMethods) {
      if (consent) expect(consent.scopes?.map(({ name }) => name).join()).toMatch(/\w/);
    }
    for (const { id, instead, guide } of describeAuthMethods(kind, { hasOAuthApp: true })) {
      expect(instead, id).toMatch(/instead$/);
      const isPasted = !kind.authMethods.find(method => method.id === id)?.isConsentOnly;
      if (isPasted && id !== 'oauth') {
        expect(guide?.steps.length, id).toBeGreaterThan(1);
        expect(guide?.url, id).toMatch(/^https:/);
        expect(guide?.who, id).toMatch(/\.$/);
      }
    }
  });

  test('says of every kind that it never changes data, or what it changes', () => {
    for (const kind of kinds) {
      const { level, changes } = describeAccess(kind, 'write');
      expect([kind.key, level]).toEqual([kind.key, changes.length === 0 ? 'read' : 'write']);
    }
  });

  test("states what the vendor's page says if that is more than reading", () => {
    const said = Object.fromEntries(
      kinds.map(kind => [kind.key, describeAccess(kind, 'read').vendor_says] as const),
    );
    expect(said).toStrictEqual({ gong: null, 'google-ads': 'edit', granola: null, 'tiktok-marketing': null });
  });

  test('only sign-in with TikTok lists advertisers, not a pasted token', () => {
    const tikTok = kinds.find(({ key }) => key === 'tiktok-marketing') ?? things;
    const methods = describeAuthMethods(tikTok, { hasOAuthApp: true });
    expect(methods.map(({ id, lists_accounts }) => [id, lists_accounts])).toStrictEqual([
      ['oauth', true],
      ['access_token', false],
    ]);
  });

  test('accounts belong to a customer setting and to methods that exist', () => {
    for (const { accounts, settings, authMethods } of kinds) {
      if (!accounts) continue;
      const setting = settings?.shape[accounts.setting];
      expect(setting?.meta()?.['x-audience']).toBe('customer');
      expect(authMethods.map(({ id }) => id)).toEqual(expect.arrayContaining([...accounts.methods]));
      expect(accounts.dailyRequestsPerAccount?.(24)).toBeGreaterThan(0);
    }
  });

  test('a kind that declares none of this is valid', () => {
    expect(describeAccess(things, 'write')).toStrictEqual({
      level: 'write',
      reads: [],
      changes: [],
      vendor_says: null,
    });
    expect(describeEntities(things)).toStrictEqual([
      { name: 'things', title: 'Things', access: null, is_synced: false },
    ]);
    expect(describeAuthMethods(things)).toMatchObject([
      { id: 'key', instead: null, guide: null, lists_accounts: false },
      { id: 'tokens', instead: null, guide: null, lists_accounts: false },
    ]);
    expect(describeSettings(things)).toBeNull();
    expect(integratorSettings(things)).toStrictEqual([]);
  });
});
