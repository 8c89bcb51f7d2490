import type { AdminOrganization, EditOrganizationRequest, Overview } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { checkboxField, checkboxGroup, selectField, textField } from '../../components/fields.ts';
import type { Form } from '../../components/form.ts';
import { count } from '../../components/time.ts';

/** The settings of an organization as the form shows them. The names are those of the API. */
export type OrganizationValues = {
  name: string;
  display_name: string;
  support_url: string;
  connect_helper_url: string;
  guest_connect_links: boolean;
  long_connect_links: boolean;
  brand_color: string;
  sync_interval_minutes: string;
  kinds: string;
  enabled_kinds: readonly string[];
};

export const organizationLabels: Readonly<Record<keyof OrganizationValues, string>> = {
  name: 'Name',
  display_name: 'Display name',
  support_url: 'Support page',
  connect_helper_url: 'Server helper',
  guest_connect_links: 'Allow connect links for people without an account',
  long_connect_links: 'Allow connect links that are valid for a week',
  brand_color: 'Brand colour',
  sync_interval_minutes: 'Sync interval in minutes',
  kinds: 'Sources',
  enabled_kinds: 'Enabled sources',
};

export const newOrganization: OrganizationValues = {
  name: '',
  display_name: '',
  support_url: '',
  connect_helper_url: '',
  guest_connect_links: false,
  long_connect_links: false,
  brand_color: '',
  sync_interval_minutes: '',
  kinds: 'all',
  enabled_kinds: [],
};

export function valuesOf(organization: AdminOrganization): OrganizationValues {
  return {
    name: organization.name,
    display_name: organization.display_name ?? '',
    support_url: organization.support_url ?? '',
    connect_helper_url: organization.connect_helper_url ?? '',
    guest_connect_links: organization.guest_connect_links,
    long_connect_links: organization.long_connect_links,
    brand_color: organization.brand_color ?? '',
    sync_interval_minutes: organization.sync_interval_minutes?.toString() ?? '',
    kinds: organization.enabled_kinds === null ? 'all' : 'some',
    enabled_kinds: organization.enabled_kinds ?? [],
  };
}

/** Returns the request's members for the fields with these names. */
export function changesOf(
  values: OrganizationValues,
  names: readonly string[],
): Omit<EditOrganizationRequest, 'version'> {
  const has = (...wanted: (keyof OrganizationValues)[]) => wanted.some(name => names.includes(name));
  // A number that cannot be read is rejected by the API, which explains why.
  const minutes = values.sync_interval_minutes.trim();
  return {
    ...(has('name') ? { name: values.name } : {}),
    ...(has('display_name') ? { display_name: textOrNull(values.display_name) } : {}),
    ...(has('support_url') ? { support_url: textOrNull(values.support_url) } : {}),
    ...(has('connect_helper_url') ? { connect_helper_url: textOrNull(values.connect_helper_url) } : {}),
    ...(has('guest_connect_links') ? { guest_connect_links: values.guest_connect_links } : {}),
    ...(has('long_connect_links') ? { long_connect_links: values.long_connect_links } : {}),
    ...(has('brand_color') ? { brand_color: textOrNull(values.brand_color) } : {}),
    ...(has('sync_interval_minutes')
      ? { sync_interval_minutes: minutes === '' ? null : Number(minutes) }
      : {}),
    ...(has('kinds', 'enabled_kinds')
      ? { enabled_kinds: values.kinds === 'all' ? null : [...values.enabled_kinds] }
      : {}),
  };
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}

/** Renders the fields of an organization. */
export function organizationFields(
  form: Form<OrganizationValues>,
  {
    kinds,
    default_sync_interval_minutes: interval,
  }: Pick<Overview, 'kinds' | 'default_sync_interval_minutes'>,
): TemplateResult {
  return html`${textField(form, 'name', {
    label: organizationLabels.name,
    required: true,
    hint: 'Identifies the organization here and in the audit log. Must be unique.',
  })}
  ${textField(form, 'display_name', {
    label: organizationLabels.display_name,
    hint: 'What people see in the widget, on consent pages and on connect links. If empty, the name above.',
  })}
  ${textField(form, 'support_url', {
    label: organizationLabels.support_url,
    type: 'url',
    placeholder: 'https://',
    hint: 'Where the widget sends people who need help.',
  })}
  ${textField(form, 'connect_helper_url', {
    label: organizationLabels.connect_helper_url,
    type: 'url',
    placeholder: 'https://app.example.com/connector-auth',
    hint: 'Where the integrator mounted the server helper. It confirms who opens a connect link.',
  })}
  ${checkboxField(form, 'guest_connect_links', {
    label: organizationLabels.guest_connect_links,
    hint: 'The first person to accept such a link may use it. Send it only to the person it is for.',
  })}
  ${checkboxField(form, 'long_connect_links', {
    label: organizationLabels.long_connect_links,
    hint: 'Otherwise for up to a day. Who gets hold of a link has longer to use it.',
  })}
  ${textField(form, 'brand_color', {
    label: organizationLabels.brand_color,
    placeholder: '#3150d3',
    hint: 'The colour of the main actions on the pages of connect links.',
  })}
  ${textField(form, 'sync_interval_minutes', {
    label: organizationLabels.sync_interval_minutes,
    type: 'number',
    placeholder: String(interval),
    hint: `Time between two syncs of a connector, 5 to 43,200. If empty, ${count(interval, 'minute')}.`,
  })}
  ${selectField(form, 'kinds', {
    label: organizationLabels.kinds,
    required: true,
    hint: 'What customers can connect. Existing connectors continue to work.',
    choices: [
      ['all', 'All sources'],
      ['some', 'Only selected sources'],
    ],
  })}
  ${
    form.values.kinds === 'some'
      ? checkboxGroup(form, 'enabled_kinds', {
          label: organizationLabels.enabled_kinds,
          choices: kinds.map(({ key, name }) => [key, name] as const),
        })
      : nothing
  }`;
}
