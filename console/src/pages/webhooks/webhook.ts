import type { UpdateWebhookRequest, Webhook, WebhookDelivery } from '@connector-auth/api';
import { html, nothing, type TemplateResult } from 'lit';
import { state } from 'lit/decorators.js';
import { PagedList } from '../../api/paged-list.ts';
import { poll } from '../../api/polling.ts';
import { badge, cell, errorLine } from '../../components/cell.ts';
import { secretPanel } from '../../components/code-block.ts';
import { icons } from '../../components/icons.ts';
import { listView } from '../../components/list-view.ts';
import { loaded, notice } from '../../components/notice.ts';
import { button, facts, idWithCopy, pageHead, section } from '../../components/page-head.ts';
import { Page } from '../../components/page.ts';
import { Settings } from '../../components/settings.ts';
import { statusSection } from '../../components/status-section.ts';
import { count, pointInTime, timeAgo } from '../../components/time.ts';
import { deliveryStates, webhookBadge, webhookFields } from './status.ts';

const pollMs = 5_000;

/** `/organizations/:organization/webhooks/:webhook`: the settings, secret and deliveries of a webhook. */
export class WebhookPage extends Page {
  @state() private newSecret: string | null = null;
  #settings = new Settings<Webhook>(this, {
    load: () => this.app.call('getWebhook', { params: this.#params }),
    fields: () => webhookFields,
    read: stored => ({ ...stored }),
    save: changes => this.app.call('updateWebhook', { params: this.#params, body: changes }),
  });
  #deliveries = new PagedList(this, 'listDeliveries', { params: () => this.#params, pageSize: 25 });

  constructor() {
    super();
    poll(this, pollMs, () => this.#refresh());
  }

  protected override render(): TemplateResult {
    const { value: webhook } = this.#settings.loader;
    return html`${pageHead({
      title: webhook?.description ?? 'Webhook',
      parent: { path: `/organizations/${this.#params.organization_id}`, label: 'Organization' },
      badge: webhook ? webhookBadge(webhook.status) : nothing,
      actions:
        webhook && webhook.status !== 'disabled' && this.canWrite
          ? button('Send test event', this.#test)
          : nothing,
    })}
    ${loaded(this.#settings.loader, value => this.#content(value))}`;
  }

  #content(webhook: Webhook): TemplateResult {
    return html`${statusNotice(webhook)}
    ${
      this.newSecret === null
        ? nothing
        : secretPanel({
            title: 'New signing secret',
            what: 'signing secret',
            secret: this.newSecret,
            content: html`<p class="hint">
              Replace the old secret in your backend. Until
              ${pointInTime(webhook.previous_secret_expires_at)}, events are signed with both.
            </p>`,
            actions: button('I’ve stored it, close', this.#closeSecret, 'primary'),
          })
    }
    ${section(
      'At a glance',
      facts([
        ['Created', pointInTime(webhook.created_at)],
        ['Previous secret', pointInTime(webhook.previous_secret_expires_at, 'None')],
        ['Webhook ID', idWithCopy(webhook.id, 'webhook ID')],
      ]),
    )}
    ${this.#deliveryList()} ${section('Settings', this.#settings.render())}
    ${this.canWrite ? this.#changes(webhook) : nothing}`;
  }

  #deliveryList(): TemplateResult {
    const resend = {
      label: 'Resend',
      isAction: true,
      cell: (delivery: WebhookDelivery) =>
        delivery.state === 'pending'
          ? nothing
          : html`<button
              type="button"
              class="button small"
              aria-label="Resend ${delivery.type}"
              @click=${() => this.#resend(delivery)}
            >
              Resend
            </button>`,
    };
    return section(
      'Deliveries',
      listView({
        list: this.#deliveries,
        what: 'deliveries',
        filters: [
          {
            name: 'state',
            label: 'State',
            choices: Object.entries(deliveryStates).map(([name, [label]]) => [name, label]),
          },
        ],
        columns: [
          {
            label: 'Event',
            cell: ({ type, body }) =>
              cell(
                html`<details>
                  <summary>${type}</summary>
                  <pre tabindex="0" role="region" aria-label="Body of ${type}">
${JSON.stringify(body, null, 2)}</pre>
                </details>`,
                isCursorExpired(body) ? 'The change feed no longer has these changes' : nothing,
              ),
          },
          { label: 'State', cell: stateOf },
          { label: 'Happened', cell: ({ created_at }) => timeAgo(created_at) },
          { label: 'Last attempt', cell: ({ last_attempt_at }) => timeAgo(last_attempt_at, '–') },
          ...(this.canWrite ? [resend] : []),
        ],
        empty: {
          icon: icons.audit,
          title: 'No events yet',
          hint: 'Send a test event to see whether your backend accepts it.',
        },
      }),
      {
        lead: 'The events of the last 30 days. A failed event is sent up to eight times in 28 hours.',
        actions: this.canWrite ? button('Send missed events', this.#replay) : nothing,
      },
    );
  }

  #changes(webhook: Webhook): TemplateResult {
    const name = webhook.description ?? webhook.url;
    const isOff = webhook.status === 'disabled';
    return html`${section(
      'Replace the secret',
      html`<div class="actions">${button('Create new secret', () => this.#rotate())}</div>`,
      { lead: 'For 24 hours, events are signed with both secrets, so no event is lost.' },
    )}
    ${statusSection(
      this,
      { noun: 'webhook', name, status: isOff ? 'disabled' : 'active' },
      {
        disable: {
          lead: 'Sends nothing more. You can enable it again and send the missed events.',
          body: 'Your backend receives no events until you enable it again.',
          run: () => this.#update({ enabled: false }),
        },
        enable: {
          lead: 'Sends new events again. Afterwards, you can send the missed ones.',
          body: 'Your backend receives new events. To send the missed ones too, choose “Send missed events”.',
          run: () => this.#update({ enabled: true }),
        },
      },
    )}
    ${section(
      'Delete webhook',
      html`<div class="actions">${button('Delete webhook', () => this.#delete(name), 'danger')}</div>`,
      { lead: 'Also deletes its secret and the list of its deliveries.' },
    )}`;
  }

  readonly #test = async (): Promise<void> => {
    await this.#act(() => this.app.call('testWebhook', { params: this.#params }), 'Test event sent');
  };

  readonly #replay = async (): Promise<void> => {
    await this.app.confirm({
      title: 'Send missed events?',
      body: 'Sends each event of the last 30 days that your backend has not accepted.',
      action: 'Send events',
      isDestructive: false,
      run: async () => {
        const { events } = await this.app.call('replayWebhook', { params: this.#params, body: {} });
        this.app.toast(events === 0 ? 'No event was missed' : `${count(events, 'event')} will be sent`);
      },
    });
    await this.#deliveries.refresh();
  };

  async #resend({ event_id }: WebhookDelivery): Promise<void> {
    const params = { ...this.#params, event_id };
    await this.#act(() => this.app.call('resendDelivery', { params }), 'The event will be sent again');
  }

  /** Makes a change of which only a message says whether it succeeded. */
  async #act(run: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await run();
      this.app.toast(done);
    } catch (error) {
      this.app.toast(error instanceof Error ? error.message : 'Something went wrong. Try again.');
    }
    await this.#deliveries.refresh();
  }

  async #rotate(): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Create a new signing secret?',
      body: 'The present one also signs events for 24 hours. If it has leaked, choose to end it now.',
      action: 'Create secret',
      isDestructive: false,
      option: {
        label: 'End the present secret now',
        hint: 'Your backend rejects events until it has the new one. They are sent again later.',
      },
      run: async endsNow => {
        const body = endsNow ? { previous_hours: 0 } : {};
        const { secret, ...webhook } = await this.app.call('rotateWebhookSecret', {
          params: this.#params,
          body,
        });
        this.#settings.set(webhook);
        this.newSecret = secret;
      },
    });
    if (isDone) await this.focusOn('.secret-panel h2');
  }

  readonly #closeSecret = (): void => {
    this.newSecret = null;
    this.focusHeading();
  };

  async #update(body: UpdateWebhookRequest): Promise<void> {
    this.#settings.set(await this.app.call('updateWebhook', { params: this.#params, body }));
  }

  async #delete(name: string): Promise<void> {
    const isDone = await this.app.confirm({
      title: 'Delete this webhook?',
      body: 'Your backend receives no more events through it.',
      action: 'Delete webhook',
      done: 'Webhook deleted',
      name,
      run: () => this.app.call('deleteWebhook', { params: this.#params }),
    });
    if (isDone) this.app.replace(`/organizations/${this.#params.organization_id}`);
  }

  async #refresh(): Promise<void> {
    await Promise.all([this.#settings.loader.reload(), this.#deliveries.refresh()]);
  }

  get #params(): { organization_id: string; webhook_id: string } {
    return { organization_id: this.params['organization'] ?? '', webhook_id: this.params['webhook'] ?? '' };
  }
}

function isCursorExpired({ data }: WebhookDelivery['body']): boolean {
  return (data as { readonly cursor?: unknown } | undefined)?.cursor === null;
}

function statusNotice({
  status,
  disabled_reason: reason,
  disabled_at: at,
  failing_since: since,
}: Webhook): TemplateResult | typeof nothing {
  if (status === 'active') return nothing;
  if (status === 'failing') {
    return notice({
      tone: 'warn',
      title: 'Your backend does not accept events',
      text: html`Since ${pointInTime(since)}. After five days, the webhook is switched off.`,
    });
  }
  const cause =
    reason === 'gone'
      ? 'Your backend responded that the URL is gone (410).'
      : reason === 'failing'
        ? 'Your backend accepted no event for five days.'
        : 'Someone disabled it.';
  return notice({
    tone: 'bad',
    title: 'This webhook is off',
    text: html`${cause} Off since ${pointInTime(at)}. Nothing is lost: enable it below, then send the missed
    events.`,
  });
}

function stateOf({
  state,
  attempts,
  last_status,
  last_response,
  next_attempt_at,
}: WebhookDelivery): TemplateResult {
  const response = [last_status === null ? '' : `HTTP ${last_status}`, last_response ?? '']
    .filter(part => part !== '')
    .join(': ');
  return cell(
    badge(...deliveryStates[state]),
    attempts > 1 ? count(attempts, 'attempt') : nothing,
    state === 'delivered' || response === '' ? nothing : errorLine(response),
    state === 'pending' && attempts > 0 ? html`Next ${timeAgo(next_attempt_at)}` : nothing,
  );
}
