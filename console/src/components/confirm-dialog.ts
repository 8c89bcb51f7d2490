import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import type { Confirmation } from '../app.ts';
import { DocumentElement } from './element.ts';
import { renderFields, submitButton } from './fields.ts';
import { Form } from './form.ts';
import { failureNotice } from './notice.ts';

/** `<console-confirm>`: the dialog that asks before a destructive action. */
export class ConfirmDialog extends DocumentElement {
  @state() private confirmation: Confirmation | null = null;
  #form = new Form<{ typed: string; option: boolean }>(
    this,
    { typed: '', option: false },
    { isDisposable: true },
  );
  #answer: ((isDone: boolean) => void) | null = null;

  /** Asks, and runs the action if the operator confirms. Resolves with whether it was done. */
  ask(confirmation: Confirmation): Promise<boolean> {
    this.#close(false);
    this.#form.reset({ typed: '', option: confirmation.option?.isChecked ?? false });
    this.confirmation = confirmation;
    return new Promise(resolve => {
      this.#answer = resolve;
    });
  }

  protected override updated(changed: PropertyValues): void {
    // Private properties are not part of the element's type.
    if (!changed.has('confirmation' as keyof this)) return;
    // A modal dialog keeps focus inside, closes with Escape and restores focus when it closes.
    this.querySelector('dialog')?.showModal();
    this.querySelector<HTMLElement>('dialog input[name], dialog .cancel')?.focus();
  }

  protected override render(): TemplateResult | typeof nothing {
    const { confirmation } = this;
    if (!confirmation) return nothing;
    const { title, body, action, name, option, cancel = 'Cancel', isDestructive = true } = confirmation;
    const form = this.#form;
    return html`<dialog aria-labelledby="confirm-title" @close=${this.#handleClose} @cancel=${this.#keepOpen}>
      <form novalidate @submit=${this.#submit}>
        <h2 id="confirm-title">${title}</h2>
        <div class="dialog-body">${body}</div>
        ${option ? renderFields(form, { option: { ...option, type: 'check' } }) : nothing}
        ${
          name === undefined
            ? nothing
            : html`<p>Type <strong class="typed-name" dir="auto">${name}</strong> to confirm.</p>
                ${renderFields(form, { typed: { label: 'Name', required: true } })}`
        }
        ${failureNotice(form.failure)}
        <div class="actions end">
          <button type="button" class="button cancel" @click=${() => this.#close(false)}>${cancel}</button>
          ${submitButton(form, action, {
            kind: isDestructive ? 'danger solid' : 'primary',
            isEnabled: name === undefined || isSame(form.values.typed, name),
          })}
        </div>
      </form>
    </dialog>`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const { confirmation } = this;
    if (!confirmation) return;
    const { name, run } = confirmation;
    const isDone = await this.#form.submit(async ({ typed, option }, idempotencyKey) => {
      if (name !== undefined && !isSame(typed, name)) return false;
      await run(option, idempotencyKey);
      return true;
    });
    if (isDone === true) this.#close(true);
    if (isDone === false) await this.#form.reject('typed', 'The name doesn’t match');
  };

  /** The event arrives late, when the dialog may already show the next question. */
  readonly #handleClose = ({ target }: Event): void => {
    const dialog = this.querySelector('dialog');
    if (target === dialog && dialog?.open === false) this.#close(false);
  };

  /** While the action runs, its result is still to come. */
  readonly #keepOpen = (event: Event): void => {
    if (this.#form.isBusy) event.preventDefault();
  };

  #close(isDone: boolean): void {
    const answer = this.#answer;
    this.#answer = null;
    this.querySelector('dialog')?.close();
    this.confirmation = null;
    answer?.(isDone);
  }
}

/** Compares names as a person sees them: browsers show runs of white space as one space when text is copied. */
function isSame(typed: string, name: string): boolean {
  const visible = (text: string) => text.normalize().replaceAll(/\s+/g, ' ').trim();
  return visible(typed) === visible(name);
}
