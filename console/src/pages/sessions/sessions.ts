import type { AdminSessionItem } from '@connector-auth/api/admin';
import { html, nothing, type TemplateResult } from 'lit';
import { Loader } from '../../api/loader.ts';
import { badge } from '../../components/badge.ts';
import { loaded } from '../../components/loaded.ts';
import { pageHead } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { table } from '../../components/table.ts';
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
            cell: ({ user_agent, is_current }) =>
              html`<span title=${user_agent ?? ''}>${browserOf(user_agent ?? '')}</span>
                ${is_current ? badge('This browser', 'info') : nothing}`,
          },
          { label: 'Address', cell: ({ address }) => address ?? 'Unknown' },
          { label: 'Signed in', cell: ({ created_at }) => timeAgo(created_at) },
          { label: 'Last used', cell: ({ last_used_at }) => timeAgo(last_used_at) },
          { label: 'Ends', cell: ({ expires_at }) => pointInTime(expires_at) },
          {
            label: 'End',
            isAction: true,
            cell: session =>
              session.is_current
                ? nothing
                : html`<button
                    type="button"
                    class="button small danger"
                    aria-label="End the session in ${browserOf(session.user_agent ?? '')}"
                    @click=${() => this.#end(session)}
                  >
                    End
                  </button>`,
          },
        ],
      }),
    )}`;
  }

  async #end({ id, user_agent }: AdminSessionItem): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'End this session?',
      body: `${browserOf(user_agent ?? '')} is signed out. If you don’t recognize it, delete the admin key: it can be used to sign in again.`,
      action: 'End session',
      run: () => this.app.call('deleteSession', { params: { session_id: id } }),
    });
    if (!isDone) return;
    this.app.toast('Session ended');
    await this.#sessions.reload();
  }
}

/** Browsers and systems by what their User-Agent contains. The first match counts: Edge also names Chrome and Safari. */
const browsers = ['Edg', 'Firefox', 'Chrome', 'Safari'];
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac', 'Linux'];

/** Returns a short name for a User-Agent, such as “Firefox on Linux”. */
function browserOf(userAgent: string): string {
  const find = (names: readonly string[]) => names.find(name => userAgent.includes(name));
  const browser = find(browsers);
  const system = find(systems);
  if (browser === undefined || system === undefined) return 'Unknown browser';
  return `${browser === 'Edg' ? 'Edge' : browser} on ${system}`;
}
