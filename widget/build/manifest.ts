import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { flowSettings } from '../src/lit/flow-settings.ts';
import { attributeOf, propertySpecs, type ConnectorAuthProperties } from '../src/properties.ts';
import {
  readDeclarations,
  readInterface,
  type Declaration,
  type Described,
  type InterfaceMember,
  type Member,
} from './analyze.ts';

interface ElementSource {
  readonly tagName: string;
  readonly className: string;
  /** The file of the class in `src`. */
  readonly file: string;
  /** The built file that exports the class. */
  readonly module: string;
  /** The built file that registers the tag. */
  readonly entry: string;
  /** The properties that the class has. Default: all of them. */
  readonly properties?: readonly string[];
  readonly hasEvents: boolean;
}

const lit = { module: 'dist/lit.js', entry: 'dist/lit.js' };
const sources: readonly ElementSource[] = [
  {
    tagName: 'connector-auth',
    className: 'ConnectorAuthElement',
    file: 'connector-auth.ts',
    module: 'dist/element.js',
    entry: 'dist/index.js',
    hasEvents: true,
  },
  {
    ...lit,
    tagName: 'connector-auth-provider',
    className: 'ConnectorAuthProviderElement',
    file: 'lit/provider.ts',
    properties: flowSettings,
    hasEvents: true,
  },
  {
    ...lit,
    tagName: 'connector-auth-button',
    className: 'ConnectorAuthButtonElement',
    file: 'lit/button.ts',
    properties: ['source'],
    hasEvents: false,
  },
  {
    ...lit,
    tagName: 'connector-auth-status',
    className: 'ConnectorAuthStatusElement',
    file: 'lit/status.ts',
    properties: ['source'],
    hasEvents: false,
  },
];

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

/** Reads the public interface of all elements from properties.ts, events.ts and the comments of their classes. */
export function readElements(): readonly ElementDeclaration[] {
  return sources.map(readElement);
}

function readElement({ tagName, className, file, ...source }: ElementSource): ElementDeclaration {
  const found = readClass(file, className);
  const fields = readInterface(
    'src/properties.ts',
    readSource('properties.ts'),
    'ConnectorAuthProperties',
  ).filter(({ name }) => source.properties?.includes(name) ?? true);
  const methods = (found.members ?? []).filter(member => member.kind === 'method' && isPublic(member));
  return {
    name: className,
    tagName,
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
    events: source.hasEvents ? readEvents() : [],
    slots: found.slots ?? [],
    cssParts: found.cssParts ?? [],
    // All elements have those of the widget.
    cssProperties: readClass('connector-auth.ts', 'ConnectorAuthElement').cssProperties ?? [],
  };
}

function readClass(file: string, className: string): Declaration {
  const path = `src/${file}`;
  const found = readDeclarations(path, readSource(file)).find(({ name }) => name === className);
  if (found === undefined) throw new Error(`${path} declares no ${className}`);
  return found;
}

function readEvents(): readonly InterfaceMember[] {
  return readInterface('src/events.ts', readSource('events.ts'), 'ConnectorAuthEventDetails').map(
    ({ name, description }) => ({
      name,
      description: description ?? '',
      type: { text: `ConnectorAuthEvent<'${name}'>` },
    }),
  );
}

/** Returns the package's custom elements manifest (schema 1.0.0). */
export function manifestOf(elements: readonly ElementDeclaration[]): object {
  const paths = new Set(sources.flatMap(({ module, entry }) => [module, entry]));
  return {
    schemaVersion: '1.0.0',
    readme: 'README.md',
    modules: [...paths].map(path => ({
      kind: 'javascript-module',
      path,
      declarations: elements
        .filter(({ name }) => sources.some(({ className, module }) => className === name && module === path))
        .map(element => ({
          ...element,
          kind: 'class',
          customElement: true,
          superclass: { name: 'LitElement', package: 'lit' },
        })),
      exports: sources
        .filter(({ module, entry }) => module === path || entry === path)
        .flatMap(({ className: name, tagName, module, entry }) => {
          const declaration = { name, module };
          const definition = { kind: 'custom-element-definition', name: tagName, declaration };
          return [{ kind: 'js', name, declaration }, ...(entry === path ? [definition] : [])];
        }),
    })),
  };
}

function readSource(path: string): string {
  return readFileSync(join(import.meta.dirname, '../src', path), 'utf8');
}

function isPublic({ name, privacy }: Member): boolean {
  return privacy !== 'private' && privacy !== 'protected' && !name.startsWith('#');
}
