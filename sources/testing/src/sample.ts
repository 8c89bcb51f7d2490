import type { Description } from './vendor-server.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly minimum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

const texts: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  uri: 'https://vendor.example/',
  email: 'someone@vendor.example',
};

/** Returns the smallest object that a schema of the description allows, with these members instead of its own. */
export function sampleOf<Members extends object>(
  { schemas }: Description,
  name: string,
  members: Members,
): Record<string, unknown> & Members {
  return { ...Object(sample({ $ref: `#/schemas/${name}` })), ...members };

  function sample(schema: Schema): unknown {
    if (schema.$ref !== undefined) return sample(Object(schemas[schema.$ref.replace('#/schemas/', '')]));
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return schema.enum[0];
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map(sample));
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return choices.some(({ type }) => type === 'null') ? null : sample(choices[0] ?? {});
    const types = [schema.type ?? (schema.properties ? 'object' : 'null')].flat();
    if (types.includes('null')) return null;
    switch (types[0]) {
      case 'object':
        return Object.fromEntries(
          (schema.required ?? []).map(member => [member, sample(schema.properties?.[member] ?? {})]),
        );
      case 'array':
        return [];
      case 'string':
        return texts[schema.format ?? ''] ?? 'text';
      case 'boolean':
        return false;
      default:
        return schema.minimum ?? 1;
    }
  }
}
