import type { AdminOrganization } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { property, state } from 'lit/decorators.js';
import type { App } from '../../app.ts';
import { DocumentElement } from '../../components/element.ts';
import { submitButton } from '../../components/fields.ts';
import { Form } from '../../components/form.ts';
import { icons } from '../../components/icons.ts';
import { failureNotice } from '../../components/notice.ts';
import { button } from '../../components/page-head.ts';

const maxBytes = 256 * 1024;

/** `<console-logo>`: shows, replaces and deletes the logo of an organization. */
export class Logo extends DocumentElement {
  @property({ attribute: false }) app!: App;
  @property({ attribute: false }) organization!: AdminOrganization;
  @property({ attribute: false }) onChange: (organization: AdminOrganization) => void = () => {};
  /** The chosen image as a data URL, before it is uploaded. */
  @state() private preview: string | null = null;
  @state() private issue: string | null = null;
  #form = new Form(this, { image: '' });

  protected override render(): TemplateResult {
    const form = this.#form;
    const { logo_url: current, name, display_name: displayName } = this.organization;
    const shown = this.preview ?? current;
    form.declare('image', null);
    const issue = this.issue ?? form.issueOf('image');
    const isReadOnly = this.app.session.access === 'read';
    return html`<form class="logo" novalidate @submit=${this.#upload}>
      <div class="logo-preview">
        ${
          shown === null
            ? html`<span class="letter" aria-hidden="true"
                >${(displayName ?? name).trim().match(/^./u)?.[0]}</span
              >`
            : html`<img src=${shown} alt=${this.preview === null ? 'Current logo' : 'Chosen image'} />`
        }
      </div>
      <div class="logo-form">
        ${failureNotice(form.failure)}
        <div class="field" ?hidden=${isReadOnly}>
          <label class="button file"
            >${shown === null ? 'Choose an image' : 'Choose another image'}<input
              id="field-image"
              class="visually-hidden"
              type="file"
              accept="image/png,image/webp"
              aria-invalid=${issue !== null}
              aria-describedby="field-image-hint"
              @change=${this.#choose}
          /></label>
          ${issue === null ? nothing : html`<p class="field-error">${icons.alert}<span>${issue}</span></p>`}
          <p class="hint" id="field-image-hint">PNG or WebP, up to 1024 × 1024 pixels and 256 KiB.</p>
        </div>
        <div class="actions" ?hidden=${isReadOnly}>
          ${
            this.preview === null
              ? current === null
                ? nothing
                : button('Delete logo', this.#delete, 'danger')
              : html`${submitButton(form, 'Upload logo')} ${button('Cancel', this.#forget)}`
          }
        </div>
      </div>
    </form>`;
  }

  readonly #choose = async ({ target }: Event): Promise<void> => {
    // The handler is bound only to the file input.
    const input = target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = '';
    if (!file) return;
    this.#forget();
    if (file.size > maxBytes) {
      this.issue = `This image has ${Math.ceil(file.size / 1024)} KiB. Choose one with at most 256 KiB.`;
      return;
    }
    this.preview = await readDataUrl(file);
    this.#form.set('image', this.preview.slice(this.preview.indexOf(',') + 1));
  };

  readonly #upload = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (this.preview === null) return;
    const changed = await this.#form.submit(({ image }) =>
      this.app.call('setLogo', { params: { organization_id: this.organization.id }, body: { image } }),
    );
    if (!changed) return;
    this.#forget();
    this.onChange(changed);
    this.app.toast('Logo uploaded');
  };

  readonly #delete = async (): Promise<void> => {
    const isDone = await this.app.confirm({
      title: 'Delete the logo?',
      body: 'People will see the first letter of the organization’s name instead.',
      action: 'Delete logo',
      done: 'Logo deleted',
      run: () => this.app.call('deleteLogo', { params: { organization_id: this.organization.id } }),
    });
    if (isDone) this.onChange({ ...this.organization, logo_url: null });
  };

  readonly #forget = (): void => {
    this.preview = null;
    this.issue = null;
    this.#form.reset({ image: '' });
  };
}

function readDataUrl(file: File): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const reader = new FileReader();
  // `readAsDataURL` results in a string.
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => reject(new Error('The file can’t be read')));
  reader.readAsDataURL(file);
  return promise;
}
