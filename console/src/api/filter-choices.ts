import type { Overview } from '@connector-auth/api/admin';
import type { ReactiveControllerHost } from 'lit';
import type { Call } from './call.ts';

type Choice = readonly [value: string, label: string];

/** The organizations and connector kinds that lists can be filtered by, which are loaded on first use. */
export class FilterChoices {
  #organizations: readonly Choice[] = [];
  #overview: Pick<Overview, 'kinds' | 'default_sync_interval_minutes'> | null = null;
  #isRequested = false;

  constructor(
    private readonly host: ReactiveControllerHost & Node & { readonly app: { readonly call: Call } },
  ) {}

  get organizations(): readonly Choice[] {
    this.#request();
    return this.#organizations;
  }

  get kinds(): readonly Choice[] {
    this.#request();
    return (this.#overview?.kinds ?? []).map(({ key, name }) => [key, name]);
  }

  /** Null as long as it is not loaded. */
  get defaultSyncMinutes(): number | null {
    this.#request();
    return this.#overview?.default_sync_interval_minutes ?? null;
  }

  /** Returns the name of a connector kind, or its key as long as the names are not loaded. */
  nameOfKind(key: string): string {
    return this.kinds.find(([value]) => value === key)?.[1] ?? key;
  }

  /** Returns the name of an organization, or undefined as long as the names are not loaded. */
  nameOfOrganization(id: string | null): string | undefined {
    return this.organizations.find(([value]) => value === id)?.[1];
  }

  #request(): void {
    if (this.#isRequested || !this.host.isConnected) return;
    this.#isRequested = true;
    void this.#load();
  }

  async #load(): Promise<void> {
    const { call } = this.host.app;
    // Without them, the page still works; its own requests show what is wrong.
    const [organizations, overview] = await Promise.allSettled([
      call('listOrganizations', { query: { sort: 'name', limit: 1000 } }),
      call('getOverview'),
    ]);
    if (organizations.status === 'fulfilled') {
      this.#organizations = organizations.value.data.map(({ id, name }) => [id, name]);
    }
    if (overview.status === 'fulfilled') this.#overview = overview.value;
    this.host.requestUpdate();
  }
}
