import { createServer, type AddressInfo } from 'node:net';

/** Returns the preferred port if it is free on loopback, otherwise another free port. */
export async function freePort(preferred: number): Promise<number> {
  return (await portIfFree(preferred)) ?? (await portIfFree(0)) ?? preferred;
}

async function portIfFree(port: number): Promise<number | null> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      // A server listening on a port has an AddressInfo.
      const { port: taken } = probe.address() as AddressInfo;
      probe.close(() => resolve(taken));
    });
  });
}
