import { html, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { secretPanel } from './code-block.ts';
import { renderFields, submitButton, type Fields } from './fields.ts';
import { Form, type FormValues } from './form.ts';
import { failureNotice } from './notice.ts';
import { capitalized, leaveButton, pageHead } from './page-head.ts';
import { Page } from './page.ts';
import { requestOf, valuesOf } from './settings.ts';

interface Parent {
  readonly path: string;
  readonly label: string;
}

interface Options {
  /** The page that lists what is created, which can depend on the parameters of the page's path. */
  readonly parent: Parent | ((params: Page['params']) => Parent);
  /** What is created, such as “application”. */
  readonly noun: string;
  /** What the secret is, such as “client secret”. Null if none is created. */
  readonly secretName: string | null;
  /** The values that fields have at first, if they are not empty. */
  readonly initial?: FormValues;
}

interface Created {
  readonly name: string;
  /** Shown only now. */
  readonly secret?: string;
  /** Other values and code to paste. */
  readonly content?: TemplateResult;
  /** The page that follows. */
  readonly path: string;
}

/** The page with a form that creates something. Shows the secret of what was created, or its page. */
export abstract class CreatePage extends Page {
  @state() private created: Created | null = null;
  protected readonly form: Form<FormValues>;

  constructor(private readonly options: Options) {
    super();
    this.form = new Form<FormValues>(this, {}, { createsSecret: options.secretName !== null });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.form.reset({ ...valuesOf(this.fields(), {}), ...this.options.initial });
  }

  protected abstract fields(): Fields;

  protected abstract create(values: FormValues, idempotencyKey: string): Promise<Created>;

  /** Returns the request's members for the fields that are required or filled in. */
  protected bodyOf(values: FormValues): Record<string, unknown> {
    const fields = this.fields();
    const required = Object.keys(fields).filter(name => fields[name]?.required);
    return requestOf(fields, values, [...required, ...this.form.changedNames]);
  }

  protected override render(): TemplateResult {
    const { created, form } = this;
    const { noun, secretName } = this.options;
    const parent =
      typeof this.options.parent === 'function' ? this.options.parent(this.params) : this.options.parent;
    if (created?.secret === undefined || secretName === null) {
      return html`${pageHead({ title: `New ${noun}`, parent })}
        <form class="card narrow" novalidate @submit=${this.#submit}>
          ${failureNotice(form.failure)} ${renderFields(form, this.fields())}
          <div class="actions">
            ${submitButton(form, `Create ${noun}`)} ${leaveButton('Cancel', parent.path)}
          </div>
        </form>`;
    }
    return html`${pageHead({ title: `${created.name} is ready`, parent })}
    ${secretPanel({
      title: capitalized(secretName),
      what: secretName,
      secret: created.secret,
      ...(created.content ? { content: created.content } : {}),
      actions: leaveButton('I’ve stored it, continue', created.path, 'primary'),
    })}`;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const created = await this.form.submit((values, key) => this.create(values, key));
    if (!created) return;
    if (created.secret === undefined) {
      this.app.toast(`${capitalized(this.options.noun)} created`);
      this.app.replace(created.path);
      return;
    }
    this.created = created;
    await this.focusOn('h1');
  };
}
