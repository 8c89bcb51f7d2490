import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { analyze, type Attribute, type Described, type Member } from './analyze.ts';
import { parts, properties, slots } from './styling.ts';

const source = join(import.meta.dirname, '../src');
const className = 'ConnectorAuthElement';

/** The element as integrators see it, in the words of the custom elements manifest. */
export interface ElementDeclaration extends Described {
  readonly tagName: string;
  readonly attributes: readonly Attribute[];
  readonly members: readonly Member[];
  readonly events: readonly (Described & { readonly type: { readonly text: string } })[];
  readonly slots: readonly Described[];
  readonly cssParts: readonly Described[];
  readonly cssProperties: readonly Described[];
}

/** Reads the element from its source: what is public of the class, its events, and what can be styled and filled. */
export function readElement(): ElementDeclaration {
  const path = 'src/connector-auth.ts';
  const text = readFileSync(join(source, 'connector-auth.ts'), 'utf8');
  const found = analyze(path, text).find(({ name }) => name === className);
  if (found === undefined) throw new Error(`${path} declares no ${className}`);
  const members = (found.members ?? []).filter(isPublic);
  const names = new Set(members.map(({ name }) => name));
  return {
    ...found,
    tagName: 'connector-auth',
    members,
    attributes: (found.attributes ?? []).filter(({ fieldName }) => names.has(fieldName)),
    events: readEvents(),
    slots: described(slots),
    cssParts: described(parts),
    cssProperties: described(properties),
  };
}

/** The custom elements manifest (schema 1.0.0) of the package. */
export function manifestOf(element: ElementDeclaration): object {
  const declaration = { name: className, module: 'dist/element.js' };
  const exported = { kind: 'js', name: className, declaration };
  return {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: [
      {
        kind: 'javascript-module',
        path: 'dist/element.js',
        declarations: [{ ...element, kind: 'class', customElement: true }],
        exports: [exported],
      },
      {
        kind: 'javascript-module',
        path: 'dist/index.js',
        declarations: [],
        exports: [exported, { kind: 'custom-element-definition', name: element.tagName, declaration }],
      },
    ],
  };
}

function isPublic({ name, privacy }: Member): boolean {
  return privacy !== 'private' && privacy !== 'protected' && !name.startsWith('#');
}

/** The events with their sentences, as events.ts declares them. */
function readEvents(): ElementDeclaration['events'] {
  const text = readFileSync(join(source, 'events.ts'), 'utf8');
  return [...text.matchAll(/\/\*\* (.+) \*\/\n {2}'(connector-auth-[a-z]+)': /g)].map(
    ([, description = '', name = '']) => ({
      name,
      description,
      type: { text: `ConnectorAuthEvent<'${name}'>` },
    }),
  );
}

function described(all: Readonly<Record<string, string>>): readonly Described[] {
  return Object.entries(all).map(([name, description]) => ({ name, description }));
}
