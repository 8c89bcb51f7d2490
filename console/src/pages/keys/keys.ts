import type { AdminKey } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import { PagedList } from '../../api/paged-list.ts';
import { badge } from '../../components/badge.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { linkButton, pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { pointInTime, timeAgo } from '../../components/time.ts';

export class KeysPage extends Page {
  #list = new PagedList(this, 'listAdminKeys');

  protected override render(): TemplateResult {
    const create = this.canWrite ? linkButton('New admin key', '/keys/new', 'primary') : nothing;
    const own = this.app.session.key_id;
    return html`${pageHead({
      title: 'Admin keys',
      lead: 'Operators sign in with a key, and scripts send it as a bearer token. Give each person and each script its own.',
      actions: create,
    })}
    ${listView({
      list: this.#list,
      what: 'admin keys',
      columns: [
        {
          label: 'Name',
          cell: ({ id, name }) =>
            html`<span class="clamp">${name}</span>
              ${id === own ? badge('Signed in with it', 'info') : nothing}`,
        },
        {
          label: 'Access',
          cell: ({ access }) => (access === 'write' ? 'Read and write' : 'Read only'),
        },
        { label: 'Last used', cell: ({ last_used_at: at }) => timeAgo(at) },
        { label: 'Expires', cell: ({ expires_at: at }) => pointInTime(at) },
        { label: 'Created', cell: ({ created_at: at }) => timeAgo(at) },
        ...(this.canWrite
          ? [
              {
                label: 'Delete',
                isAction: true,
                cell: (key: AdminKey) =>
                  html`<button
                    type="button"
                    class="button small danger"
                    aria-label="Delete ${key.name}"
                    @click=${() => this.#delete(key, false)}
                  >
                    Delete
                  </button>`,
              },
            ]
          : []),
      ],
      empty: {
        icon: icons.keys,
        title: 'No admin keys',
        hint: 'You’re signed in with ADMIN_TOKEN. Create a key for each person and script.',
        action: create,
      },
    })}`;
  }

  async #delete(key: AdminKey, isForced: boolean): Promise<void> {
    const isOwn = key.id === this.app.session.key_id;
    let mustForce = false;
    const isDone = await this.app.confirm({
      title: isForced ? 'Delete the last key that can change anything?' : 'Delete this admin key?',
      body: isForced
        ? 'Afterwards only ADMIN_TOKEN, or a new set-up code after a restart, gives access.'
        : isOwn
          ? 'You’re signed in with this key. Deleting it signs you out.'
          : 'Scripts with this key stop working, and everyone who signed in with it is signed out.',
      action: 'Delete admin key',
      name: key.name,
      run: async () => {
        try {
          await this.app.call('deleteAdminKey', {
            params: { key_id: key.id },
            query: isForced ? { force: true } : {},
          });
        } catch (error) {
          mustForce = !isForced && ApiError.of(error).code === 'last_admin_key';
          if (!mustForce) throw error;
        }
      },
    });
    if (mustForce) return this.#delete(key, true);
    if (!isDone) return;
    this.app.toast('Admin key deleted');
    this.querySelector<HTMLElement>('h1')?.focus();
    await this.#list.reload();
  }
}
