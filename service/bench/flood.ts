/** Sends requests on many connections until the parent process sends a message, and reports the statuses. */
import { once } from 'node:events';
import { Agent, request } from 'undici';

export interface Flood {
  readonly url: string;
  readonly sockets: number;
  readonly headers: Readonly<Record<string, string>>;
}

// `isolation.bench.ts` starts this file with a flood as its argument.
const { url, sockets, headers } = JSON.parse(process.argv[2] ?? '') as Flood;
const dispatcher = new Agent({ connections: sockets });
const statuses: Record<string, number> = {};
const stop = new AbortController();

async function repeat(): Promise<void> {
  while (!stop.signal.aborted) {
    const status = await request(url, { dispatcher, headers }).then(
      async response => {
        await response.body.dump();
        return response.statusCode;
      },
      () => 'no response',
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
}

const running = Promise.all(Array.from({ length: sockets }, repeat));
await once(process, 'message');
stop.abort();
await running;
process.send?.(statuses);
process.disconnect();
