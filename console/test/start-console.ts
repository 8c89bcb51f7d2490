import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import express from 'express';
import { mountConsole } from '../../service/src/features/console/routes.ts';
import { createLog } from '../../service/src/platform/log/log.ts';
import { FakeApi } from '../fixture/fake-api.ts';
import { fillOperation, type OperationData } from '../fixture/operation-data.ts';
import { fill, type SampleData } from '../fixture/sample-data.ts';

/** The built console, served as by the service, with a fake API. */
export interface RunningConsole {
  readonly url: string;
  api: FakeApi;
  data: SampleData;
  operation: OperationData;
  /** Starts again with the sample data. */
  reset(): void;
  close(): Promise<void>;
}

/** Serves the built console with the service’s own headers, so that its content security policy applies. */
export async function startConsole(): Promise<RunningConsole> {
  const app = express();
  const server = createServer(app);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has this kind of address.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const running: RunningConsole = {
    url,
    ...createSample(),
    reset() {
      Object.assign(running, createSample());
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  app.use('/api/v1/admin', express.text({ type: () => true, limit: '1mb' }), async (request, response) => {
    const { body } = request as { body: unknown };
    const headers = Object.entries(request.headers).filter(
      (entry): entry is [string, string] => typeof entry[1] === 'string',
    );
    try {
      const answer = await running.api.handle(
        new Request(`${url}${request.originalUrl}`, {
          method: request.method,
          headers,
          ...(typeof body === 'string' && body !== '' ? { body } : {}),
        }),
      );
      response.status(answer.status).set(Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    } catch {
      // As if the network had failed.
      request.socket.destroy();
    }
  });
  app.use(
    mountConsole({
      publicUrl: 'https://connect.example.com',
      log: createLog({ level: 'error' }),
      folder: join(import.meta.dirname, '../dist'),
    }),
  );
  return running;
}

function createSample(): Pick<RunningConsole, 'api' | 'data' | 'operation'> {
  const api = new FakeApi();
  const data = fill(api);
  return { api, data, operation: fillOperation(api, data) };
}
