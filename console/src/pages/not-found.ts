import { html, type TemplateResult } from 'lit';
import { linkButton, pageHead } from '../components/page-head.ts';
import { Page } from '../components/page.ts';

export class NotFoundPage extends Page {
  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Page not found',
      lead: 'The link may be outdated, or what it was about no longer exists.',
    })}
    ${linkButton('Go to the overview', '/', 'primary')}`;
  }
}
