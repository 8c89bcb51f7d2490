import type { AuditEntry } from '@connector-auth/api/admin';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import type { Call } from '../../api/call.ts';
import type { FilterChoices } from '../../api/filter-choices.ts';

/** What an id in an entry belongs to. */
export interface NamedThing {
  readonly name: string;
  /** The page that shows it. */
  readonly path: string;
}

/** Finds the names of what the ids in audit entries belong to, as far as it still exists. */
export class AuditNames implements ReactiveController {
  /** The applications and admin keys, for a filter. */
  actors: readonly (readonly [id: string, name: string])[] = [];
  #things = new Map<string, NamedThing>();

  constructor(
    private readonly host: ReactiveControllerHost & { readonly app: { readonly call: Call } },
    private readonly choices: FilterChoices,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    void this.#load();
  }

  /** Returns what an id belongs to, or null if it is unknown. */
  find(id: string | null): NamedThing | null {
    if (id === null) return null;
    const organization = this.choices.organizations.find(([value]) => value === id)?.[1];
    if (organization !== undefined) return { name: organization, path: `/organizations/${id}` };
    return this.#things.get(id) ?? null;
  }

  /** Returns what an entry changed, or null if it is unknown. */
  targetOf({ action, target_id, customer_name, application_id = null }: AuditEntry): NamedThing | null {
    if (action.startsWith('customer.') && target_id !== null && customer_name !== null) {
      return { name: customer_name, path: `/customers/${target_id}` };
    }
    const application = this.find(application_id);
    if (action === 'client_secret.deleted' && application !== null) {
      return { ...application, name: `Secret of ${application.name}` };
    }
    return this.find(target_id);
  }

  /** Loads the name of a connector. There can be too many to load all of them. */
  async addConnector(id: string | null): Promise<void> {
    if (id === null || this.#things.has(id)) return;
    try {
      const { name } = await this.host.app.call('getConnector', { params: { connector_id: id } });
      this.#things.set(id, { name, path: `/connectors/${id}` });
      this.host.requestUpdate();
    } catch {
      // It was deleted.
    }
  }

  async #load(): Promise<void> {
    const { call } = this.host.app;
    // Without them, the entries show ids.
    const [applications, keys, incidents] = await Promise.allSettled([
      call('listApplications', { query: { sort: 'name', limit: 1000 } }),
      call('listAdminKeys', { query: { limit: 1000 } }),
      call('listIncidents', { query: { limit: 1000 } }),
    ]);
    const actors: (readonly [string, string])[] = [];
    if (applications.status === 'fulfilled') {
      const { data } = applications.value;
      for (const { id, name, client_id: clientId, secrets } of data) {
        const path = `/applications/${id}`;
        const isUnique = data.every(other => other.id === id || other.name !== name);
        actors.push([id, isUnique ? name : `${name} (${clientId})`]);
        this.#things.set(id, { name, path });
        for (const secret of secrets) this.#things.set(secret.id, { name: `Secret of ${name}`, path });
      }
    }
    if (keys.status === 'fulfilled') {
      for (const { id, name } of keys.value.data) {
        actors.push([id, `${name} (admin key)`]);
        this.#things.set(id, { name, path: '/keys' });
      }
    }
    if (incidents.status === 'fulfilled') {
      for (const { id, target } of incidents.value.data) {
        this.#things.set(id, { name: target, path: `/incidents/${id}` });
      }
    }
    this.actors = actors;
    this.host.requestUpdate();
  }
}
