import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attributeOf, propertySpecs, type ConnectorAuthProperties } from '../src/properties.ts';
import {
  readDeclarations,
  readInterface,
  type Described,
  type InterfaceMember,
  type Member,
} from './analyze.ts';
import { parts, properties, slots } from './styling.ts';

const className = 'ConnectorAuthElement';

export interface Attribute extends InterfaceMember {
  readonly fieldName: string;
  readonly default?: string;
}

/** The element's public interface in the format of the custom elements manifest. */
export interface ElementDeclaration extends Described {
  readonly tagName: string;
  readonly attributes: readonly Attribute[];
  readonly members: readonly Member[];
  readonly events: readonly InterfaceMember[];
  readonly slots: readonly Described[];
  readonly cssParts: readonly Described[];
  readonly cssProperties: readonly Described[];
}

/** Reads the element's public properties, methods and events from its source. */
export function readElement(): ElementDeclaration {
  const path = 'src/connector-auth.ts';
  const found = readDeclarations(path, readSource('connector-auth.ts')).find(
    ({ name }) => name === className,
  );
  if (found === undefined) throw new Error(`${path} declares no ${className}`);
  const fields = readInterface('src/properties.ts', readSource('properties.ts'), 'ConnectorAuthProperties');
  const methods = (found.members ?? []).filter(member => member.kind === 'method' && isPublic(member));
  return {
    name: className,
    tagName: 'connector-auth',
    description: found.description ?? '',
    members: [...fields.map(field => ({ ...field, kind: 'field' as const })), ...methods],
    attributes: fields.flatMap(({ name, description, type }) => {
      // The interface and the record have the same keys.
      const { attribute, values, initial } = propertySpecs[name as keyof ConnectorAuthProperties];
      if (attribute === false) return [];
      const text = values?.map(value => `'${value}'`).join(' | ') ?? type.text;
      return [
        {
          name: attributeOf(name),
          fieldName: name,
          description: description ?? '',
          type: { text },
          ...(initial === undefined
            ? {}
            : { default: typeof initial === 'string' ? `'${initial}'` : String(initial) }),
        },
      ];
    }),
    events: readInterface('src/events.ts', readSource('events.ts'), 'ConnectorAuthEventDetails').map(
      ({ name, description }) => ({
        name,
        description: description ?? '',
        type: { text: `ConnectorAuthEvent<'${name}'>` },
      }),
    ),
    slots: described(slots),
    cssParts: described(parts),
    cssProperties: described(properties),
  };
}

/** Returns the package's custom elements manifest (schema 1.0.0). */
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
        declarations: [
          {
            ...element,
            kind: 'class',
            customElement: true,
            superclass: { name: 'LitElement', package: 'lit' },
          },
        ],
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

function readSource(path: string): string {
  return readFileSync(join(import.meta.dirname, '../src', path), 'utf8');
}

function isPublic({ name, privacy }: Member): boolean {
  return privacy !== 'private' && privacy !== 'protected' && !name.startsWith('#');
}

function described(all: Readonly<Record<string, string>>): readonly Described[] {
  return Object.entries(all).map(([name, description]) => ({ name, description }));
}
