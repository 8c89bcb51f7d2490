/** Sends requests on a number of connections for some time, in a process of its own. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Client, type Dispatcher } from 'undici';
import { atEnd } from './harness.ts';

export interface Load {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly connections: number;
  readonly seconds: number;
}

/** The duration of each request in milliseconds and of the whole, and the number of responses by status. */
export interface Loaded {
  readonly times: readonly number[];
  readonly elapsedMs: number;
  readonly statuses: Readonly<Record<string, number>>;
}

/** Starts the process. The function that it returns sends one load at a time. */
export function startLoad(): (load: Load) => Promise<Loaded> {
  const child = fork(import.meta.filename);
  const failed = once(child, 'exit').then(() => Promise.reject(new Error('The process of the load ended')));
  failed.catch(() => {});
  atEnd(() => child.disconnect());
  return async load => {
    const answer = once(child, 'message');
    child.send(load);
    // The process answers each load with its result.
    const [loaded] = (await Promise.race([answer, failed])) as [Loaded];
    return loaded;
  };
}

if (import.meta.main) {
  process.on('message', (load: Load) => {
    void send(load).then(loaded => process.send?.(loaded));
  });
  process.on('disconnect', () => process.exit());
}

async function send({ url, method, headers, body, connections, seconds }: Load): Promise<Loaded> {
  const { origin, pathname, search } = new URL(url);
  const request = { path: pathname + search, method, headers: { ...headers }, body };
  const times: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const repeat = async (): Promise<void> => {
    const client = new Client(origin);
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      const status = await statusOf(client, request);
      times.push(performance.now() - sentAt);
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  return { times, elapsedMs: performance.now() - startedAt, statuses };
}

/** Discards the response as it arrives, which costs less than a stream. */
function statusOf(client: Client, request: Dispatcher.DispatchOptions): Promise<number | 'no response'> {
  return new Promise(resolve => {
    let status = 0;
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd() {
        resolve(status);
      },
      onResponseError() {
        resolve('no response');
      },
    });
  });
}
