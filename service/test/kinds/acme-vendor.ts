import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The key that the vendor accepts. */
export const acmeKey = 'acme-secret-key';

interface Contact {
  readonly id: string;
  readonly name: string;
  readonly score: number;
  readonly [added: string]: unknown;
}

/** The vendor of the kind `acme-crm`, at the address of the sandbox. It has pages of two contacts. */
export interface AcmeVendor {
  readonly url: string;
  contacts: readonly Contact[];
  /** How many requests it has received. */
  readonly count: () => number;
  close(): Promise<void>;
}

export async function startAcmeVendor(): Promise<AcmeVendor> {
  let count = 0;
  const server = createServer((request, response) => {
    count += 1;
    const url = new URL(request.url ?? '/', 'http://localhost');
    const send = (status: number, body: unknown): void => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
    if (request.headers.authorization !== `Bearer ${acmeKey}`) return send(401, {});
    if (url.pathname !== '/api.acme-crm.example/v1/contacts') return send(404, {});
    const first = Number(url.searchParams.get('cursor') ?? 0);
    const end = first + 2;
    send(200, {
      contacts: vendor.contacts.slice(first, end),
      next: end < vendor.contacts.length ? String(end) : null,
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  const vendor: AcmeVendor = {
    url: `http://127.0.0.1:${port}`,
    contacts: ['Ada', 'Grace', 'Alan', 'Barbara', 'Donald'].map((name, index) => ({
      id: `c${index}`,
      name,
      score: index * 10,
    })),
    count: () => count,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return vendor;
}
