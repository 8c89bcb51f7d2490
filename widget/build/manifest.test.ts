/// <reference types="node" />
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LitElement } from 'lit';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectorAuthEventName } from '../src/events.ts';
import {
  ConnectorAuthButtonElement,
  ConnectorAuthController,
  ConnectorAuthProviderElement,
  ConnectorAuthStatusElement,
} from '../src/lit/server.ts';
import { ConnectorAuthElement } from '../src/server.ts';
import { writeEditorData } from './editor-data.ts';
import { manifestOf, readElements, type ElementDeclaration } from './manifest.ts';

const elements = readElements();
const element = named('connector-auth');
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8');
const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();

/** The compiler reports an error if an event is missing here. */
const events: Record<ConnectorAuthEventName, true> = {
  'connector-auth-ready': true,
  'connector-auth-step': true,
  'connector-auth-connected': true,
  'connector-auth-next': true,
  'connector-auth-reconnected': true,
  'connector-auth-disconnected': true,
  'connector-auth-request': true,
  'connector-auth-close': true,
  'connector-auth-error': true,
};

test('lists all events in the manifest', () => {
  expect(names(element.events)).toEqual(Object.keys(events).sort());
});

test('lists attributes with their default and allowed values in the manifest', () => {
  expect(element.attributes).toContainEqual({
    name: 'token-credentials',
    fieldName: 'tokenCredentials',
    description: expect.any(String) as string,
    type: { text: "'same-origin' | 'include' | 'omit'" },
    default: "'same-origin'",
  });
  expect(names(element.attributes)).not.toContain('messages');
});

test('lists only public members in the manifest', () => {
  const members = names(element.members);
  expect(members).toEqual(expect.arrayContaining(['getToken', 'messages', 'reload', 'registerLanguage']));
  expect(members).not.toEqual(expect.arrayContaining(['view']));
  expect(members).not.toEqual(expect.arrayContaining(['willUpdate']));
});

test('describes every attribute, member and event in the manifest', () => {
  const undescribed = [...element.attributes, ...element.members, ...element.events].filter(
    ({ description }) => !description,
  );
  expect(names(undescribed)).toEqual([]);
});

test('the manifest declares which file registers each tag', () => {
  const manifest = JSON.stringify(manifestOf(elements));
  for (const { tagName } of elements) {
    expect(manifest).toContain(`"custom-element-definition","name":"${tagName}"`);
  }
});

test('lists the settings, methods and events of a provider in the manifest', () => {
  const { attributes, members, events } = named('connector-auth-provider');
  expect(names(attributes)).toEqual(expect.arrayContaining(['token-url', 'sources', 'oauth-mode']));
  expect(names(attributes)).not.toContain('theme');
  expect(names(members.filter(({ kind }) => kind === 'method'))).toEqual(['open', 'reload']);
  expect(events).toEqual(element.events);
});

test.each(['attributes', 'members', 'events'] as const)('documents all %s in the README', kind => {
  // Attributes, properties and events are in backticks; methods also have parentheses.
  const missing = elements
    .flatMap(element => names(element[kind]))
    .filter(name => !new RegExp(`\`${name}[\`(]`).test(readme));
  expect(missing).toEqual([]);
});

test('documents no attribute, member or event in a table of the README that does not exist', () => {
  const known = elements.flatMap(({ attributes, members, events }) =>
    names([...attributes, ...members, ...events]),
  );
  const tables = readme.split(/^(?=\| (?:attribute, property|event) )/m).slice(1);
  const rows = tables.flatMap(table => /^(?:\|.*\n)+/.exec(table)?.[0].split('\n').slice(2) ?? []);
  const documented = rows.flatMap(row =>
    [...(row.split('|')[1] ?? '').matchAll(/`([\w-]+)/g)].map(([, name]) => name),
  );
  expect(documented.length).toBeGreaterThan(20);
  expect(documented.filter(name => !known.includes(name ?? ''))).toEqual([]);
});

test('documents every part and slot in the README', () => {
  const missing = names(elements.flatMap(({ cssParts, slots }) => [...cssParts, ...slots])).filter(
    name => name && !readme.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

test('documents every custom property in the README', () => {
  // All names after the first are abbreviated, for example `-surface`.
  const missing = names(element.cssProperties).filter(
    name =>
      !readme.includes(`\`${name}\``) && !readme.includes(`\`${name.replace('--connector-auth', '')}\``),
  );
  expect(missing).toEqual([]);
});

test('includes all attributes, events and parts in the editor data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'connector-auth-editor-data-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  writeEditorData(manifestOf(elements), folder);
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  const html = read('html-custom-data.json');
  const css = read('css-custom-data.json');
  const jetBrains = read('web-types.json');
  for (const name of names(element.attributes)) expect(html).toContain(`"${name}"`);
  expect(html).toContain('{ "name": "redirect" }');
  for (const name of names(element.cssParts)) expect(css).toContain(`"::part(${name})"`);
  for (const name of names([...element.attributes, ...element.events])) {
    expect(jetBrains).toContain(`"${name}"`);
  }
});

test('the classes for servers declare every property of the elements', () => {
  const classes: Readonly<Record<string, { readonly prototype: object }>> = {
    ConnectorAuthElement,
    ConnectorAuthProviderElement,
    ConnectorAuthButtonElement,
    ConnectorAuthStatusElement,
  };
  const missing = elements.flatMap(({ name, members }) =>
    members.filter(
      ({ kind, name: field }) => kind === 'field' && !(field in (classes[name]?.prototype ?? {})),
    ),
  );
  expect(names(missing)).toEqual([]);
});

test('an element with the controller renders on a server', () => {
  class Badge extends LitElement {
    readonly flow = new ConnectorAuthController(this);
    override render(): string {
      const { state, isLoaded, connectors, sources } = this.flow;
      this.flow.open('gong');
      return `${state.name} ${isLoaded} ${[...connectors, ...sources, ...this.flow.connectorsOf('gong')].length}`;
    }
  }
  expect(typeof document).toBe('undefined');
  expect(new Badge().render()).toBe('idle false 0');
});

function named(tagName: string): ElementDeclaration {
  const found = elements.find(element => element.tagName === tagName);
  if (found === undefined) throw new Error(`No element ${tagName}`);
  return found;
}
