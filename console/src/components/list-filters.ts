import { html, type TemplateResult } from 'lit';
import { live } from 'lit/directives/live.js';
import type { ListName } from '../api/call.ts';
import type { PagedList } from '../api/paged-list.ts';

/** Renders a filter for a point in time, in the time zone of the browser. */
export function timeFilter<Name extends ListName>(
  list: PagedList<Name>,
  name: string,
  label: string,
): TemplateResult {
  return html`<label class="filter"
    ><span>${label}</span
    ><input
      type="datetime-local"
      .value=${live(localTime(list.valueOf(name)))}
      @change=${({ target }: Event) => {
        // The handler is bound only to this control.
        const { value } = target as HTMLInputElement;
        list.set(name, value === '' ? '' : new Date(value).toISOString());
      }}
  /></label>`;
}

/** Returns a time as the value of a `datetime-local` field. Empty if it is not a time. */
function localTime(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return '';
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
