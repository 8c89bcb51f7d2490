import type { EditApplicationRequest, Reference } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import type { Call } from '../../api/call.ts';
import { textField } from '../../components/fields.ts';
import type { Form } from '../../components/form.ts';

/** The settings of an application as the form shows them. The names are those of the API. */
export type ApplicationValues = {
  name: string;
  organization_ids: readonly string[];
  redirect_urls: string;
};

export const applicationLabels: Readonly<Record<keyof ApplicationValues, string>> = {
  name: 'Name',
  organization_ids: 'Organizations',
  redirect_urls: 'Redirect URLs',
};

/** Returns the request's members for the fields with these names. */
export function changesOf(
  values: ApplicationValues,
  names: readonly string[],
): Omit<EditApplicationRequest, 'version'> {
  return {
    ...(names.includes('name') ? { name: values.name } : {}),
    ...(names.includes('organization_ids') ? { organization_ids: [...values.organization_ids] } : {}),
    ...(names.includes('redirect_urls') ? { redirect_urls: linesOf(values.redirect_urls) } : {}),
  };
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '');
}

/** Renders the fields of an application. The names of organizations are kept in `known`. */
export function applicationFields(
  form: Form<ApplicationValues>,
  { call, known }: { readonly call: Call; readonly known: Map<string, string> },
): TemplateResult {
  form.declare('organization_ids', 'Choose at least one organization');
  const selected = form.values.organization_ids.map(id => ({ id, name: known.get(id) ?? id }));
  const select = (references: readonly Reference[]) => {
    for (const { id, name } of references) known.set(id, name);
    form.set(
      'organization_ids',
      references.map(({ id }) => id),
    );
  };
  return html`${textField(form, 'name', {
      label: applicationLabels.name,
      required: true,
      hint: 'For example the name of your product’s backend.',
    })}
    <console-organization-picker
      .call=${call}
      .selected=${selected}
      .issue=${form.issueOf('organization_ids')}
      .onChange=${select}
    ></console-organization-picker>
    ${
      form.values.organization_ids.length > 1
        ? html`<p class="hint">
            With several organizations, your backend must name one in <code>ORGANIZATION_ID</code>.
          </p>`
        : nothing
    }
    ${textField(form, 'redirect_urls', {
      label: applicationLabels.redirect_urls,
      isMultiline: true,
      isCode: true,
      placeholder: 'https://app.example.com/connected',
      hint: 'Only needed if people give consent by redirect instead of in a pop-up. One URL per line.',
    })}`;
}
