/** Sends requests on a number of connections for some time, in a process of its own. */
import { Client, type Dispatcher } from 'undici';

export interface Load {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly connections: number;
  readonly seconds: number;
}

/** The duration of each request in milliseconds, and of the whole. */
export interface Loaded {
  readonly times: readonly number[];
  readonly elapsedMs: number;
}

process.on('message', (load: Load) => {
  void run(load).then(loaded => process.send?.(loaded));
});
process.on('disconnect', () => process.exit());

async function run({ url, method, headers, body, connections, seconds }: Load): Promise<Loaded> {
  const { origin, pathname, search } = new URL(url);
  const request: Dispatcher.DispatchOptions = {
    path: pathname + search,
    method,
    headers: { ...headers },
    body,
  };
  const times: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + seconds * 1000;
  const repeat = async (): Promise<void> => {
    const client = new Client(origin);
    while (performance.now() < endsAt) {
      const sentAt = performance.now();
      await send(client, request);
      times.push(performance.now() - sentAt);
    }
    await client.close();
  };
  await Promise.all(Array.from({ length: connections }, repeat));
  return { times, elapsedMs: performance.now() - startedAt };
}

/** Discards the response as it arrives, which costs less than a stream. */
function send(client: Client, request: Dispatcher.DispatchOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    let status = 0;
    client.dispatch(request, {
      onRequestStart() {},
      onResponseStart(_controller, statusCode) {
        status = statusCode;
      },
      onResponseData() {},
      onResponseEnd() {
        if (status === 200) resolve();
        else reject(new Error(`${request.path} returned ${status}`));
      },
      onResponseError(_controller, error) {
        reject(error);
      },
    });
  });
}
