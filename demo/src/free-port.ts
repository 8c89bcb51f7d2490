import { createServer, type AddressInfo } from 'node:net';

/** The preferred port if it is free on loopback, else one that is. */
export async function freePort(preferred: number): Promise<number> {
  return (await portIfFree(preferred)) ?? (await portIfFree(0)) ?? preferred;
}

async function portIfFree(port: number): Promise<number | null> {
  return new Promise(resolve => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      // A server that listens on a port has an address with one.
      const { port: taken } = probe.address() as AddressInfo;
      probe.close(() => resolve(taken));
    });
  });
}
