import { z } from 'zod';
import { references } from './references.ts';

/** A property of a request, and the option that sets it. */
export interface Field {
  /** Such as `['customer', 'name']`. */
  readonly path: readonly string[];
  /** Name of the option without dashes. */
  readonly option: string;
  /** How the text of the option becomes the value of the property. */
  readonly type: 'text' | 'time' | 'number' | 'flag' | 'json-file' | 'base64-file';
  /** What help shows for the value. Null for a flag. */
  readonly value: string | null;
  readonly description: string;
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
  /** The value that `--no-<option>` sets, or null if the property cannot be removed. */
  readonly clears: { readonly to: null | readonly [] } | null;
  /** What the id in the property refers to, such as `organization`. Null for any other property. */
  readonly noun: string | null;
}

interface JsonSchema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly contentEncoding?: string;
  readonly description?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** Returns the properties of a request's body or query. Nested objects become one option per property. */
export function fieldsOf(schema: z.ZodType | undefined): Field[] {
  if (schema === undefined) return [];
  // The options make the conversion total: what JSON Schema cannot express becomes an empty schema.
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema;
  return propertiesOf(root, []);
}

function propertiesOf(schema: JsonSchema, above: readonly string[], isOptional = false): Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const isRequired = !isOptional && (schema.required ?? []).includes(name);
    const path = [...above, name];
    if (property.properties !== undefined) return propertiesOf(property, path, !isRequired);
    return [fieldOf(path, property, isRequired)];
  });
}

function fieldOf(path: readonly string[], given: JsonSchema, isRequired: boolean): Field {
  const isNullable = given.anyOf?.some(({ type }) => type === 'null') ?? false;
  const schema = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
  const isArray = schema.type === 'array';
  const item = isArray ? (schema.items ?? {}) : schema;
  const noun = nounOf(path, item);
  const type = typeOf(item);
  const description = given.description ?? schema.description ?? item.description ?? '';
  const values = item.enum?.map(String);
  return {
    path,
    option: optionName(path, noun),
    type,
    value: type === 'flag' ? null : (noun ?? placeholders[type]),
    description:
      type !== 'flag' && values
        ? [`One of ${values.join(', ')}.`, description].join(' ').trim()
        : description,
    isRequired,
    isRepeatable: isArray,
    clears: isNullable ? { to: null } : isArray && !isRequired ? { to: [] } : null,
    noun,
  };
}

const placeholders = {
  text: 'text',
  time: 'time',
  number: 'number',
  'json-file': 'file',
  'base64-file': 'file',
} as const;

function typeOf({ type, enum: values, format, contentEncoding }: JsonSchema): Field['type'] {
  if (type === 'boolean' || values?.join() === 'true,false') return 'flag';
  if (type === 'integer' || type === 'number') return 'number';
  if (contentEncoding === 'base64' || format === 'base64') return 'base64-file';
  if (type === 'object' || type === 'array') return 'json-file';
  return format === 'date-time' ? 'time' : 'text';
}

/** Returns what an id refers to: both `organization_id` and `organization` refer to an `organization`. */
function nounOf(path: readonly string[], { format }: JsonSchema): string | null {
  const noun = (path.at(-1) ?? '').replace(/_ids?$/, '');
  return format === 'uuid' && references.has(noun) ? noun : null;
}

function optionName(path: readonly string[], noun: string | null): string {
  const name = path.join('_');
  if (name === 'version') return 'seen-version';
  return (noun === null ? name : name.replace(/_ids?$/, '')).replaceAll('_', '-');
}
