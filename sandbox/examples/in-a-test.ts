import { startSandbox } from '@connector-auth/sandbox';

const sandbox = await startSandbox();
const { control } = sandbox;
console.log(`Start your service with SANDBOX_URL=${sandbox.url}`);

// Two responses that tell the caller to wait, as the vendor sends them.
control.faults.add({ vendor: 'gong', path: '/v2/calls*', status: 429, retryAfter: 2, count: 2 });
control.vendor('gong').settings.set({ coop: true });
control.clock.advance(3_600_000); // expires tokens; the data does not change
console.log(control.requests.count({ vendor: 'gong', operation: 'refresh token' }));

await sandbox.close();
