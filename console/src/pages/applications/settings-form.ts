import type { CreateApplicationRequest, Reference } from '@connector-auth/api/admin';
import { html } from 'lit';
import type { Field } from '../../components/fields.ts';
import type { Page } from '../../components/page.ts';

/**
 * Returns the fields with the settings of an application. The names are those of the API.
 * @param organizations those that the application belongs to.
 */
export function applicationFields(page: Page, organizations: readonly Reference[]) {
  return {
    name: {
      label: 'Name',
      required: true,
      hint: 'For example the name of your product’s backend.',
    },
    organization_ids: {
      label: 'Organizations',
      type: 'organizations',
      required: true,
      host: page,
      known: organizations,
      hint: html`With several, your backend must name one in <code>ORGANIZATION_ID</code>.`,
    },
    redirect_urls: {
      label: 'Redirect URLs',
      type: 'lines',
      isCode: true,
      placeholder: 'https://app.example.com/connected',
      hint: 'Only needed if people give consent by redirect instead of in a pop-up. One URL per line.',
    },
  } as const satisfies Record<keyof CreateApplicationRequest, Field>;
}
