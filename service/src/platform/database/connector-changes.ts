import type { ClientBase } from 'pg';

/** The channel of the notifications that triggers send. */
const channel = 'connector_changes';

type Listener = (id: string | null) => void;

/**
 * Reports which connectors have changed in the database, in any process. PostgreSQL notifies all connections
 * when a transaction commits, its own one before the response. So this process's changes are reported before they
 * return, and those of others at once, unless the connection is lost.
 */
export class ConnectorChanges {
  readonly #listeners = new Set<Listener>();

  /** @param listener called with the id of a changed connector, or null if any may have changed. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** Reports the changes that a new connection is notified of. */
  async follow(client: ClientBase): Promise<void> {
    client.on('notification', ({ payload }) => this.#report(payload || null));
    await client.query(`listen ${channel}`);
    // The connection may replace a lost one, which was not notified of everything.
    this.#report(null);
  }

  #report(id: string | null): void {
    for (const listener of this.#listeners) listener(id);
  }
}
