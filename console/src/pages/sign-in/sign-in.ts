import type { AdminSession } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { property } from 'lit/decorators.js';
import type { Call } from '../../api/call.ts';
import { DocumentElement } from '../../components/element.ts';
import { renderFields, submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { button } from '../../components/page-head.ts';
import { gate } from './gate.ts';

/** `<console-sign-in>`: signs in with an admin key, on a page or in a dialog over the page whose session ended. */
export class SignIn extends DocumentElement {
  @property({ attribute: false }) call!: Call;
  @property({ attribute: false }) notice: string | null = null;
  @property({ attribute: 'is-dialog', type: Boolean }) isDialog = false;
  @property({ attribute: false }) onSignedIn: (session: AdminSession) => void = () => {};
  @property({ attribute: false }) onSignedOut: () => void = () => {};
  #form = new Form(this, { key: '' }, { isDisposable: true });

  protected override firstUpdated(): void {
    this.querySelector('dialog')?.showModal();
    if (!this.isDialog) document.title = 'Sign in · Connector Auth console';
    this.querySelector<HTMLElement>('input')?.focus();
  }

  protected override render(): TemplateResult {
    return this.isDialog
      ? html`<dialog aria-labelledby="sign-in-title" @cancel=${this.#cancel}>
          ${this.#content('Your session has ended', 'Sign in again to continue where you were.')}
        </dialog>`
      : gate(
          this.#content('Sign in', 'Use an admin key. It starts a session of eight hours in this browser.'),
        );
  }

  #content(title: string, lead: string): TemplateResult {
    const form = this.#form;
    return html`<form class=${this.isDialog ? '' : 'card'} novalidate @submit=${this.#submit}>
      <header>
        ${this.isDialog ? html`<h2 id="sign-in-title">${title}</h2>` : html`<h1 tabindex="-1">${title}</h1>`}
        <p class="hint">${lead}</p>
      </header>
      ${this.notice ? notice({ tone: 'good', text: this.notice }) : nothing} ${failureNotice(form.failure)}
      ${renderFields(form, {
        key: {
          label: 'Admin key',
          type: 'password',
          autocomplete: 'current-password',
          required: true,
          isCode: true,
        },
      })}
      <div class="actions">
        ${submitButton(form, 'Sign in')}
        ${this.isDialog ? button('Discard and sign out', this.onSignedOut) : nothing}
      </div>
    </form>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const session = await this.#form.submit(({ key }) => this.call('signIn', { body: { key: key.trim() } }));
    if (session) this.onSignedIn(session);
  };

  /** Without a session, the page behind the dialog cannot be used. */
  readonly #cancel = (event: Event): void => event.preventDefault();
}
