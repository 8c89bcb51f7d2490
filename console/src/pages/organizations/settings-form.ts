import type { EditOrganizationRequest } from '@connector-auth/api/admin';
import type { FilterChoices } from '../../api/filter-choices.ts';
import type { Field } from '../../components/fields.ts';
import { count } from '../../components/time.ts';

/** Returns the fields with the settings of an organization. The names are those of the API. */
export function organizationFields({ kinds, defaultSyncMinutes: minutes }: FilterChoices) {
  return {
    name: {
      label: 'Name',
      required: true,
      hint: 'Identifies the organization here and in the audit log. Must be unique.',
    },
    display_name: {
      label: 'Display name',
      hint: 'What people see in the widget, on consent pages and on connect links. If empty, the name above.',
    },
    support_url: {
      label: 'Support page',
      type: 'url',
      placeholder: 'https://',
      hint: 'Where the widget sends people who need help.',
    },
    connect_helper_url: {
      label: 'Server helper',
      type: 'url',
      placeholder: 'https://app.example.com/connector-auth',
      hint: 'Where the integrator mounted the server helper. It confirms who opens a connect link.',
    },
    guest_connect_links: {
      label: 'Allow connect links for people without an account',
      type: 'check',
      hint: 'The first person to accept such a link may use it. Send it only to the person it is for.',
    },
    long_connect_links: {
      label: 'Allow connect links that are valid for a week',
      type: 'check',
      hint: 'Otherwise for up to a day. Anyone who gets hold of a link then has longer to use it.',
    },
    agent_sign_in: {
      label: 'Allow chat clients and agents to sign in',
      type: 'check',
      hint: 'People add the address of the MCP server to their chat client, and sign in with their account of the integrator. Needs the server helper.',
    },
    brand_color: {
      label: 'Brand colour',
      placeholder: '#3150d3',
      hint: 'The colour of the main actions on the pages of connect links.',
    },
    sync_interval_minutes: {
      label: 'Sync interval in minutes',
      type: 'number',
      placeholder: minutes === null ? '' : String(minutes),
      hint: `Time between two syncs of a connector, 5 to 43,200. If empty, ${minutes === null ? 'the default' : count(minutes, 'minute')}.`,
    },
    enabled_kinds: {
      label: 'Sources',
      type: 'subset',
      all: 'All sources',
      some: 'Only selected sources',
      listLabel: 'Enabled sources',
      hint: 'What customers can connect. Existing connectors continue to work.',
      choices: kinds,
    },
  } as const satisfies Record<Exclude<keyof EditOrganizationRequest, 'version'>, Field>;
}
