import type { Overview } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { loaded } from '../../components/loaded.ts';
import { pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';

export class OverviewPage extends Page {
  #overview = new Loader<Overview>(this, () => this.app.call('getOverview'));

  protected override render(): TemplateResult {
    return html`${pageHead({ title: 'Overview' })} ${loaded(this.#overview, () => html``)}`;
  }
}
