/// <reference types="node" />
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ConnectorAuthEventName } from '../src/events.ts';
import { ConnectorAuthElement as ServerElement } from '../src/server.ts';
import { writeEditorData } from './editor-data.ts';
import { manifestOf, readElement } from './manifest.ts';

const element = readElement();
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

test('the manifest declares which file registers the tag', () => {
  expect(JSON.stringify(manifestOf(element))).toContain(
    '"custom-element-definition","name":"connector-auth"',
  );
});

test.each(['attributes', 'members', 'events'] as const)('documents all %s in the README', kind => {
  // Attributes, properties and events are in backticks; methods also have parentheses.
  const missing = names(element[kind]).filter(name => !new RegExp(`\`${name}[\`(]`).test(readme));
  expect(missing).toEqual([]);
});

test('documents every part and slot in the README', () => {
  const missing = names([...element.cssParts, ...element.slots]).filter(
    name => !readme.includes(`\`${name}\``),
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
  writeEditorData(manifestOf(element), folder);
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

test('the class for servers declares every property of the element', () => {
  const missing = element.members.filter(
    ({ kind, name }) => kind === 'field' && !(name in ServerElement.prototype),
  );
  expect(names(missing)).toEqual([]);
});
