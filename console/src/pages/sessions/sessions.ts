import type { AdminSessionItem } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { badge } from '../../components/cell.ts';
import { loaded } from '../../components/notice.ts';
import { pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { deleteColumn, table } from '../../components/table.ts';
import { pointInTime, timeAgo } from '../../components/time.ts';

/** `/sessions`: the browsers in which someone is signed in with the operator's key. */
export class SessionsPage extends Page {
  #sessions = new Loader(this, async () => (await this.app.call('listSessions')).data);

  protected override render(): TemplateResult {
    return html`${pageHead({
      title: 'Sessions',
      lead: `Where ${this.app.session.name} is signed in to the console. A session ends after an hour without use, and after eight hours.`,
    })}
    ${loaded(this.#sessions, sessions =>
      table({
        caption: 'Sessions',
        items: sessions,
        columns: [
          {
            label: 'Browser',
            cell: session =>
              html`<span title=${session.user_agent ?? ''}>${browserOf(session)}</span>
                ${session.is_current ? badge('This browser', 'info') : nothing}`,
          },
          { label: 'Address', cell: ({ address }) => address ?? 'Unknown' },
          { label: 'Signed in', cell: ({ created_at }) => timeAgo(created_at) },
          { label: 'Last used', cell: ({ last_used_at }) => timeAgo(last_used_at) },
          { label: 'Ends', cell: ({ expires_at }) => pointInTime(expires_at) },
          deleteColumn<AdminSessionItem>(
            'End',
            session => `End the session in ${browserOf(session)}`,
            session => this.#end(session),
            ({ is_current }) => !is_current,
          ),
        ],
      }),
    )}`;
  }

  async #end(session: AdminSessionItem): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'End this session?',
      body: `${browserOf(session)} is signed out. If you don’t recognize it, delete the admin key: it can be used to sign in again.`,
      action: 'End session',
      done: 'Session ended',
      run: () => this.app.call('deleteSession', { params: { session_id: session.id } }),
    });
    if (isDone) await this.#sessions.reload();
  }
}

/** Browsers and systems by what their User-Agent contains. The first match counts: Edge also names Chrome and Safari. */
const browsers = ['Edg', 'Firefox', 'Chrome', 'Safari'];
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'];

/** Returns a short name for the User-Agent of a session, such as “Firefox on Linux”. */
function browserOf({ user_agent: userAgent }: AdminSessionItem): string {
  const find = (names: readonly string[]) => names.find(name => userAgent?.includes(name));
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined || system === undefined) return 'Unknown browser';
  return `${browser === 'Edg' ? 'Edge' : browser} on ${system}`;
}
