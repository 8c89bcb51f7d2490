import { html, type TemplateResult } from 'lit';
import { textField } from '../../components/fields.ts';
import type { Form } from '../../components/form.ts';

/** A text field that a JSON Schema describes. */
export interface SchemaField {
  /** The name in the request, below `configuration`. */
  readonly key: string;
  readonly label: string;
  readonly hint: string;
  readonly isRequired: boolean;
  readonly isSecret: boolean;
}

interface PropertySchema {
  readonly title?: string;
  readonly description?: string;
  readonly writeOnly?: boolean;
}

/** Returns the fields of a JSON Schema object with text values, in its order. */
export function fieldsOf(schema: Readonly<Record<string, unknown>>): readonly SchemaField[] {
  // The service generates the schema of an OAuth app, whose properties are strings.
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, PropertySchema>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([key, { title = key, description = '', writeOnly = false }]) => ({
    key,
    label: title.charAt(0).toUpperCase() + title.slice(1).replaceAll(/\bid\b/g, 'ID'),
    hint: description,
    isRequired: required.includes(key),
    isSecret: writeOnly,
  }));
}

/** Renders the fields of a form whose values are named `configuration.<key>`. */
export function schemaFields(
  form: Form<Record<string, string>>,
  fields: readonly SchemaField[],
): readonly TemplateResult[] {
  return fields.map(
    ({ key, label, hint, isRequired, isSecret }) =>
      html`${textField(form, `configuration.${key}`, {
        label,
        required: isRequired,
        type: isSecret ? 'password' : 'text',
        isCode: true,
        ...(hint === '' ? {} : { hint }),
      })}`,
  );
}
