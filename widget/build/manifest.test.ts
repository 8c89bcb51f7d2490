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

/** The compiler fails if an event is missing here. */
const events: Record<ConnectorAuthEventName, true> = {
  'connector-auth-ready': true,
  'connector-auth-step': true,
  'connector-auth-connected': true,
  'connector-auth-reconnected': true,
  'connector-auth-disconnected': true,
  'connector-auth-close': true,
  'connector-auth-error': true,
};

test('the manifest lists all events', () => {
  expect(names(element.events)).toEqual(Object.keys(events).sort());
});

test('the manifest lists attributes with their default and allowed values', () => {
  expect(element.attributes).toContainEqual({
    name: 'token-credentials',
    fieldName: 'tokenCredentials',
    description: expect.any(String) as string,
    type: { text: "'same-origin' | 'include' | 'omit'" },
    default: "'same-origin'",
  });
  expect(names(element.attributes)).not.toContain('messages');
});

test('the manifest lists public members only', () => {
  const members = names(element.members);
  expect(members).toEqual(expect.arrayContaining(['getToken', 'messages', 'reload', 'registerLanguage']));
  expect(members).not.toEqual(expect.arrayContaining(['view']));
  expect(members).not.toEqual(expect.arrayContaining(['willUpdate']));
});

test('the manifest describes every attribute, member and event', () => {
  const undescribed = [...element.attributes, ...element.members, ...element.events].filter(
    ({ description }) => !description,
  );
  expect(names(undescribed)).toEqual([]);
});

test('the manifest names the file that registers the tag', () => {
  expect(JSON.stringify(manifestOf(element))).toContain(
    '"custom-element-definition","name":"connector-auth"',
  );
});

test.each(['attributes', 'members', 'events'] as const)('the README documents all %s', kind => {
  // Attributes, properties and events are in backticks, methods also have parentheses.
  const missing = names(element[kind]).filter(name => !new RegExp(`\`${name}[\`(]`).test(readme));
  expect(missing).toEqual([]);
});

test('the README documents every part and slot', () => {
  const missing = names([...element.cssParts, ...element.slots]).filter(
    name => !readme.includes(`\`${name}\``),
  );
  expect(missing).toEqual([]);
});

test('the README documents every custom property', () => {
  // Abbreviated after the first: `--connector-auth-accent`, `-surface`.
  const missing = names(element.cssProperties).filter(
    name =>
      !readme.includes(`\`${name}\``) && !readme.includes(`\`${name.replace('--connector-auth', '')}\``),
  );
  expect(missing).toEqual([]);
});

test('editor data covers all attributes, events and parts', () => {
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

test('the class for servers has every property of the element', () => {
  const missing = element.members.filter(
    ({ kind, name }) => kind === 'field' && !(name in ServerElement.prototype),
  );
  expect(names(missing)).toEqual([]);
});
