import { createClient, type Client } from '@connector-auth/api/client';
import { startSandbox, type RunningSandbox } from '@connector-auth/sandbox';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import type { Environment } from '../src/platform/config/environment.ts';
import { application, startServiceProcess, type ServiceProcess } from './service-process.ts';

/** Starts a sandbox for the tests of a file, and returns what tests of commands do with services beside it. */
export function useServices() {
  let sandbox: RunningSandbox;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(() => sandbox.close());

  /** What runs after the test, in reverse order. */
  const afterwards: (() => unknown)[] = [];
  afterEach(async () => {
    for (const step of afterwards.splice(0).toReversed()) await step();
  });

  /** Starts a service, which is killed after the test. */
  const start = (environment: Environment): ServiceProcess => {
    const service = startServiceProcess({
      ...application,
      SANDBOX_URL: sandbox.url,
      VENDOR_RATE_LIMITS: 'off',
      ...environment,
    });
    afterwards.push(async () => {
      service.child.kill('SIGKILL');
      await service.ended;
    });
    return service;
  };
  return { afterwards, start };
}

export async function stop({ child, ended }: ServiceProcess): Promise<void> {
  child.kill('SIGTERM');
  expect(await ended).toBe(0);
}

export const credentials = {
  clientId: application.BOOTSTRAP_CLIENT_ID,
  clientSecret: application.BOOTSTRAP_CLIENT_SECRET,
};

export async function clientOf(service: ServiceProcess): Promise<Client> {
  return createClient({ baseUrl: await service.url, ...credentials });
}
