import type { AdminSession, CreatedAdminKey } from '@connector-auth/api/admin';
import { html, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import { ApiError } from '../../api/api-error.ts';
import type { Call } from '../../api/call.ts';
import { secretPanel } from '../../components/code-block.ts';
import { DocumentElement } from '../../components/element.ts';
import { renderFields, submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { failureNotice, notice } from '../../components/notice.ts';
import { button } from '../../components/page-head.ts';
import { count } from '../../components/time.ts';
import { gate } from './gate.ts';

const codeExample = 'XXXX-XXXX-XXXX-XXXX-XXXX-XXXX-XX';
const codeLength = 26;

/** `<console-set-up>`: exchanges the code from the terminal for the first admin key. */
export class SetUp extends DocumentElement {
  @property({ attribute: false }) call!: Call;
  @property({ attribute: false }) onSignedIn: (session: AdminSession, path: string) => void = () => {};
  @state() private created: CreatedAdminKey | null = null;
  #form = new Form(this, { code: '', name: 'First admin key' }, { isDisposable: true, createsSecret: true });

  protected override firstUpdated(): void {
    document.title = 'Set up · Connector Auth console';
    this.querySelector<HTMLElement>('input')?.focus();
  }

  protected override render(): TemplateResult {
    return this.created ? this.#key(this.created) : this.#code();
  }

  #code(): TemplateResult {
    const form = this.#form;
    const isTaken = form.failure?.code === 'set_up_complete';
    return gate(
      html`<form class="card" novalidate @submit=${this.#submit}>
        <header>
          <h1 tabindex="-1">Set up Connector Auth</h1>
          <p class="hint">
            The service printed a set-up code to its terminal when it started. It works once, within 15
            minutes; restart the service to get a new one.
          </p>
        </header>
        ${
          isTaken
            ? notice({
                tone: 'bad',
                title: 'Someone else has set up this service',
                text: 'The code has been used. Ask that person for an admin key, then sign in.',
                actions: html`<a class="button small" href="/console" target="_self">Go to sign-in</a>`,
              })
            : failureNotice(form.failure)
        }
        ${renderFields(form, {
          code: {
            label: 'Set-up code',
            required: true,
            isCode: true,
            placeholder: codeExample,
            hint: '26 letters and digits. Capitals and hyphens don’t matter.',
          },
          name: {
            label: 'Name of your admin key',
            required: true,
            maxLength: 200,
            hint: 'You sign in with this key. Its name appears in the audit log.',
          },
        })}
        <div class="actions">${submitButton(form, 'Create admin key')}</div>
      </form>`,
    );
  }

  #key(created: CreatedAdminKey): TemplateResult {
    return gate(
      secretPanel({
        title: 'Your admin key',
        isPage: true,
        what: 'admin key',
        secret: created.key,
        content: html`<p class="hint">
          Anyone with this key can administer the service. You’re signed in with it now; you’ll need it for
          the next sign-in.
        </p>`,
        actions: html`${button('I’ve stored it, continue', this.#continue, 'primary')}
        ${failureNotice(this.#form.failure)}`,
      }),
    );
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.#form.submit(async ({ code, name }) => {
      try {
        return await this.call('setUp', { body: { code: code.trim(), name } });
      } catch (error) {
        const { code: problem, message, status } = ApiError.of(error);
        if (problem !== 'setup_code_invalid') throw error;
        throw new ApiError(problem, message, status, [{ path: 'code', message: messageFor(code) }]);
      }
    });
    if (!created) return;
    this.created = created;
    await this.focusOn('h1');
  };

  readonly #continue = async (): Promise<void> => {
    const session = await this.#form.submit(() => this.call('getSession'));
    if (session) this.onSignedIn(session, '/start');
  };
}

/** Returns what to check in a code that was rejected. */
function messageFor(typed: string): string {
  const length = typed.replaceAll(/[\s\p{Dash}]/gu, '').length;
  const reason =
    length === codeLength
      ? 'This code was mistyped, has expired or was used.'
      : `This code was mistyped: it has ${count(length, 'character')} instead of ${codeLength}.`;
  return `${reason} Compare it with the terminal in which the service was started: it’s printed at the start, below the console’s address, as ${codeExample}. Restart the service to print a new one.`;
}
