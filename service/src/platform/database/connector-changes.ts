import type { ClientBase } from 'pg';

/** The channel of the notifications that triggers send. */
export const connectorChannel = 'connector_changes';

/** The start of the notices with which the same triggers report to the connection that made the change. */
const noticePrefix = `${connectorChannel} `;

type Listener = (id: string | null) => void;

/**
 * Reports which connectors have changed in the database. Changes by this process are reported before they return,
 * because each of its connections gets a notice of its own. Changes by others are reported when the connection that
 * listens for all of this process is notified.
 */
export class ConnectorChanges {
  readonly #listeners = new Set<Listener>();

  /** @param listener called with the id of a changed connector, or null if any may have changed. */
  listen(listener: Listener): void {
    this.#listeners.add(listener);
  }

  /** @param payload ids separated by spaces. If empty, any connector may have changed. */
  report(payload: string): void {
    for (const id of payload === '' ? [null] : payload.split(' ')) {
      for (const listener of this.#listeners) listener(id);
    }
  }

  /** Collects what is changed on a connection. Returns a function that ends this and reports the changes. */
  collect(client: ClientBase): () => void {
    const payloads = new Set<string>();
    const collectFrom = ({ message }: { message?: string | undefined }): void => {
      if (message?.startsWith(noticePrefix)) payloads.add(message.slice(noticePrefix.length));
    };
    client.on('notice', collectFrom);
    return () => {
      client.off('notice', collectFrom);
      for (const payload of payloads) this.report(payload);
    };
  }
}
