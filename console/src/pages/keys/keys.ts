import type { AdminKey } from '@connector-auth/api/admin';
import { html, nothing } from 'lit';
import { ApiError } from '../../api/api-error.ts';
import { badge } from '../../components/cell.ts';
import { icons } from '../../components/icons.ts';
import { ListPage, type ListDeclaration } from '../../components/list-page.ts';
import { deleteColumn } from '../../components/table.ts';
import { pointInTime, timeAgo } from '../../components/time.ts';

/** `/keys`: the keys with which operators and scripts sign in. */
export class KeysPage extends ListPage<'listAdminKeys'> {
  constructor() {
    super('listAdminKeys');
  }

  protected override declare(): ListDeclaration<'listAdminKeys'> {
    const own = this.app.session.key_id;
    return {
      title: 'Admin keys',
      lead: 'Operators sign in with a key, and scripts send it as a bearer token. Give each person and each script its own.',
      create: { label: 'New admin key', path: '/keys/new' },
      columns: [
        {
          label: 'Name',
          cell: ({ id, name }) =>
            html`<span class="clamp">${name}</span>
              ${id === own ? badge('Signed in with it', 'info') : nothing}`,
        },
        { label: 'Access', cell: ({ access }) => (access === 'write' ? 'Read and write' : 'Read only') },
        { label: 'Last used', cell: ({ last_used_at: at }) => timeAgo(at) },
        { label: 'Expires', cell: ({ expires_at: at }) => pointInTime(at) },
        { label: 'Created', cell: ({ created_at: at }) => timeAgo(at) },
        ...(this.canWrite
          ? [
              deleteColumn<AdminKey>(
                'Delete',
                ({ name }) => `Delete ${name}`,
                key => this.#delete(key, false),
              ),
            ]
          : []),
      ],
      empty: {
        icon: icons.keys,
        title: 'No admin keys',
        hint: 'You’re signed in with ADMIN_TOKEN. Create a key for each person and script.',
      },
    };
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
    this.focusHeading();
    await this.list.reload();
  }
}
