import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cssData, htmlData, webTypes } from '../widget/build/editor-data.ts';
import { manifestOf, readElement } from '../widget/build/manifest.ts';
import { values } from '../widget/build/styling.ts';
import { root } from './steps.ts';

const element = readElement();
const readme = readFileSync(join(root, 'widget/README.md'), 'utf8');
const sources = readdirSync(join(root, 'widget/src'), { recursive: true, encoding: 'utf8' })
  .filter(path => /\.(ts|css)$/.test(path) && !path.endsWith('.test.ts'))
  .map(path => readFileSync(join(root, 'widget/src', path), 'utf8'))
  .join('\n');

const names = (list: readonly { readonly name: string }[]) => list.map(({ name }) => name).sort();
const used = (pattern: RegExp) =>
  [
    ...new Set([...sources.matchAll(pattern)].flatMap(([, one = '', other = one]) => other.split(' '))),
  ].sort();

describe('the manifest has what the code has', () => {
  it('parts', () => {
    // Those of buttons and links are also handed over as words.
    expect(names(element.cssParts)).toEqual(used(/\bpart="([a-z -]+)"|'((?:[a-z]+-)?(?:button|link))'/g));
  });

  it('custom properties', () => {
    expect(names(element.cssProperties)).toEqual(used(/var\(\s*(--connector-auth-[a-z-]+)/g));
  });

  it('slots', () => {
    expect(names(element.slots)).toEqual(used(/<slot name="([a-z-]+)"/g));
  });

  it('events, each with a sentence', () => {
    expect(names(element.events)).toEqual(used(/^ {2}'(connector-auth-[a-z]+)':/gm));
  });

  it('attributes and members, each with a sentence', () => {
    expect(names(element.attributes)).toContain('token-url');
    expect(names(element.members)).toEqual(expect.arrayContaining(['getToken', 'messages', 'reload']));
    const silent = [...element.attributes, ...element.members].filter(({ description }) => !description);
    expect(names(silent)).toEqual([]);
  });

  it('attributes whose values are listed', () => {
    expect(names(element.attributes)).toEqual(expect.arrayContaining(Object.keys(values)));
  });
});

describe('the README tells of every', () => {
  it.each(['attributes', 'members', 'events'] as const)('one of the %s', kind => {
    // Attributes, properties and events stand in backticks, methods with their parentheses.
    const missing = names(element[kind]).filter(name => !new RegExp(`\`${name}[\`(]`).test(readme));
    expect(missing).toEqual([]);
  });

  it('part and slot', () => {
    const missing = names([...element.cssParts, ...element.slots]).filter(
      name => !readme.includes(`\`${name}\``),
    );
    expect(missing).toEqual([]);
  });

  it('custom property', () => {
    // Written short after the first: `--connector-auth-accent`, `-surface`.
    const missing = names(element.cssProperties).filter(
      name =>
        !readme.includes(`\`${name}\``) && !readme.includes(`\`${name.replace('--connector-auth', '')}\``),
    );
    expect(missing).toEqual([]);
  });
});

it('editors get the same', () => {
  const html = JSON.stringify(htmlData(element));
  const css = JSON.stringify(cssData(element));
  const jetBrains = JSON.stringify(webTypes(element, { name: 'x', version: '1' }));
  for (const name of names(element.attributes)) expect(html).toContain(`"${name}"`);
  for (const name of names(element.cssParts)) expect(css).toContain(`"::part(${name})"`);
  for (const name of names([...element.attributes, ...element.events]))
    expect(jetBrains).toContain(`"${name}"`);
});

it('the manifest says which file registers the tag', () => {
  expect(JSON.stringify(manifestOf(element))).toContain(
    '"custom-element-definition","name":"connector-auth"',
  );
});

describe('nothing is forgotten', () => {
  const source = (path: string) => readFileSync(join(root, 'widget/src', path), 'utf8');

  it('on a server, where every property has to be known as one', () => {
    const fields = element.members.filter(({ kind }) => kind === 'field');
    const known = [...source('server.ts').matchAll(/^ {2}'(\w+)',$/gm)].map(([, name = '']) => ({ name }));
    expect(names(known)).toEqual(names(fields));
  });

  it('in React, where every event has its property', () => {
    const known = [...source('react/index.ts').matchAll(/on\('([a-z-]+)'\)/g)].map(([, name = '']) => ({
      name,
    }));
    expect(names(known)).toEqual(names(element.events));
  });
});
