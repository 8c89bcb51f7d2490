import type { AuthMethod, Connector, FormSchema, SourceDefinitionDetail } from '@connector-auth/api';

interface Common {
  /**
   * The path of the value in the request (`credentials.api_key`), which the service reports in its issues.
   */
  readonly path: string;
  readonly label: string;
  readonly description: string;
  readonly required: boolean;
  readonly initial: unknown;
}

/** A text field. The value of a `list` is an array of words; all other values are strings. */
export interface TextField extends Common {
  readonly kind: 'text' | 'secret' | 'multiline' | 'email' | 'url' | 'date' | 'list';
  readonly placeholder: string;
  readonly pattern: RegExp | null;
  readonly minLength: number;
  readonly maxLength: number;
}
export interface NumberField extends Common {
  readonly kind: 'number';
  readonly placeholder: string;
  readonly integer: boolean;
  readonly minimum: number;
  readonly maximum: number;
}
export interface BooleanField extends Common {
  readonly kind: 'boolean';
}
/** A field in which the user chooses one value. */
export interface ChoiceField extends Common {
  readonly kind: 'choice';
  readonly options: readonly Option[];
}
/** A constant (`initial`) that is sent but not shown. */
export interface FixedField extends Common {
  readonly kind: 'fixed';
}
/** A group of fields for a nested object. */
export interface GroupField extends Common {
  readonly kind: 'group';
  readonly fields: readonly Field[];
}

export type Field = SingleField | FixedField | GroupField;
/** A field that the user fills in. */
export type SingleField = TextField | NumberField | BooleanField | ChoiceField;

/** An option in a choice. `value` can be any JSON value. */
export interface Option {
  readonly value: unknown;
  readonly label: string;
}

/** The JSON Schema keywords that forms support. The service validates all other keywords. */
interface Schema {
  type?: string;
  title?: string;
  description?: string;
  default?: unknown;
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  examples?: unknown[];
  writeOnly?: boolean;
  properties?: Record<string, Schema>;
  required?: string[];
  'x-multiline'?: boolean;
  'x-audience'?: 'customer' | 'integrator';
}

/**
 * Returns the fields of a JSON Schema object, in its order, with paths below `at` (`credentials`).
 * Unknown types become text fields; constants (`const`) become `fixed` fields.
 */
export function fieldsOf(schema: FormSchema, at: string): readonly Field[] {
  return fieldsIn(schema, `${at}.`);
}

/** Returns the settings that users enter. They choose the accounts from a list if the method has one. */
export function settingsOf(
  { replication_schema: schema, accounts_setting: accounts }: SourceDefinitionDetail,
  { lists_accounts }: AuthMethod,
): readonly Field[] {
  const fields = schema ? fieldsOf(schema, 'replication_config') : [];
  return lists_accounts ? fields.filter(({ path }) => path !== `replication_config.${accounts}`) : fields;
}

/** Returns the settings that users can change beside the accounts, with the values of a connector. */
export function changeableSettings(
  { replication_schema: schema, accounts_setting: accounts }: SourceDefinitionDetail,
  { replication_config: values }: Pick<Connector, 'replication_config'>,
): readonly Field[] {
  const at = 'replication_config';
  return (schema ? fieldsOf(schema, at) : [])
    .filter(({ kind, path }) => kind !== 'group' && kind !== 'fixed' && path !== `${at}.${accounts}`)
    .map(field => {
      const value = values?.[field.path.slice(at.length + 1)];
      return { ...field, initial: Array.isArray(value) ? value.join(' ') : value };
    });
}

/** Returns all fields that have a value, including fields inside groups but not the groups themselves. */
export function leavesOf(fields: readonly Field[]): readonly (SingleField | FixedField)[] {
  return fields.flatMap(field => (field.kind === 'group' ? leavesOf(field.fields) : [field]));
}

/** Returns whether users may set a field. Only the integrator's backend may set the others. */
function isForCustomer(schema: Schema | null, name: string): boolean {
  return schema?.properties?.[name]?.['x-audience'] !== 'integrator';
}

function fieldsIn(schema: Schema, prefix: string): readonly Field[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {})
    .filter(([key]) => isForCustomer(schema, key))
    .map(([key, property]) => fieldOf(property, `${prefix}${key}`, key, required.has(key)));
}

function fieldOf(property: Schema, path: string, key: string, required: boolean): Field {
  const schema = withoutNull(property);
  const common = {
    path,
    label: property.title ?? key,
    description: property.description ?? '',
    required,
    initial: property.default,
  };
  const placeholder = textOf([schema.examples?.[0] ?? property.examples?.[0]].flat()[0]);
  if (schema.const !== undefined) return { ...common, kind: 'fixed', initial: schema.const };
  const options = optionsOf(schema);
  if (options.length > 0) return { ...common, kind: 'choice', options };
  switch (schema.type ?? 'string') {
    case 'object':
      return { ...common, kind: 'group', fields: fieldsIn(schema, `${path}.`) };
    case 'boolean':
      return { ...common, kind: 'boolean' };
    case 'integer':
    case 'number': {
      const { minimum = -Infinity, maximum = Infinity } = schema;
      return { ...common, kind: 'number', placeholder, integer: schema.type === 'integer', minimum, maximum };
    }
    default: {
      const { minLength = 0, maxLength = Infinity } = schema;
      const pattern = patternOf(schema.pattern);
      return { ...common, kind: textKind(schema, property), placeholder, pattern, minLength, maxLength };
    }
  }
}

function textKind(schema: Schema, property: Schema): TextField['kind'] {
  if (schema.type === 'array') return 'list';
  if (schema.writeOnly || property.writeOnly || schema.format === 'password') return 'secret';
  if (schema['x-multiline'] || property['x-multiline']) return 'multiline';
  if (schema.format === 'date' || schema.format === 'email') return schema.format;
  return schema.format === 'uri' ? 'url' : 'text';
}

/** Unwraps a nullable schema: `{anyOf: [X, {type: "null"}]}`. */
function withoutNull(schema: Schema): Schema {
  const others = schema.anyOf?.filter(({ type }) => type !== 'null');
  return others?.length === 1 ? { ...others[0] } : schema;
}

function optionsOf({ enum: values, oneOf, anyOf }: Schema): readonly Option[] {
  if (values !== undefined) return values.map(value => ({ value, label: textOf(value) }));
  const alternatives = oneOf ?? anyOf ?? [];
  return alternatives.every(({ const: value }) => value !== undefined)
    ? alternatives.map(({ const: value, title }) => ({ value, label: title ?? textOf(value) }))
    : [];
}

function patternOf(pattern: string | undefined): RegExp | null {
  if (pattern === undefined) return null;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    // The service also validates the value. A pattern that this browser cannot parse must not block the form.
    return null;
  }
}

/** Converts a JSON value to text for a field. Objects and null become an empty string. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}
