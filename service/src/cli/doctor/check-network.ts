import { setTimeout as delay } from 'node:timers/promises';
import type { Kind } from '@connector-auth/connectors/kind';
import { sql } from 'kysely';
import { z } from 'zod';
import type { KeyRing } from '../../platform/crypto/key-ring.ts';
import type { Database } from '../../platform/database/database.ts';
import {
  forwardingCheckHeader,
  forwardingPath,
  signForwardingCheck,
} from '../../shared/http/forwarding-probe.ts';
import { count } from '../count.ts';
import { findingsOf, reasonOf, type Finding } from './finding.ts';

const timeoutMs = 5_000;
/** An address for documentation (RFC 5737), which no client has. */
const forgedAddress = '192.0.2.1';

/**
 * Sends a request to the service through its public URL, and compares the number of proxies that it passed with
 * `TRUSTED_PROXIES`. The service reports it only to a caller with a signing key.
 */
export async function checkPublicUrl(
  publicUrl: string,
  trustedProxies: number,
  { signingKeys, nowMs }: { readonly signingKeys: KeyRing | null; readonly nowMs: number },
): Promise<Finding[]> {
  const { ok, warning, problem, skipped } = findingsOf('public url');
  let health: Response;
  try {
    health = await get(`${publicUrl}/healthz`);
  } catch (error) {
    const message = `${publicUrl} cannot be reached from this machine: ${reasonOf(error)}.`;
    return [
      warning(message, 'Start the service. If it is running, check DNS, the certificate and the proxy.'),
    ];
  }
  if (health.status !== 200) {
    const message = `${publicUrl}/healthz responds with status ${health.status}.`;
    return [
      health.status >= 502
        ? warning(message, 'The proxy is reachable, but not the service. Start the service.')
        : problem(message, 'Check that the proxy sends all paths below PUBLIC_URL to the service.'),
    ];
  }
  const reachable = ok(`${publicUrl} is reachable.`);
  if (signingKeys === null) return [reachable, skipped('The proxies were not checked without SIGNING_KEYS.')];
  const forwarding = await readForwarding(publicUrl, signForwardingCheck(signingKeys, nowMs));
  if (forwarding === null) {
    const message = `The service at ${publicUrl} does not have the first of these SIGNING_KEYS, or is an older version.`;
    return [
      reachable,
      warning(message, 'Give all processes the same keys, and run doctor with their variables.'),
    ];
  }
  return [reachable, proxyFinding(forwarding, trustedProxies)];
}

interface ReadForwarding {
  readonly forwarded_for: readonly string[];
  readonly client_address: string;
}

const forwardingSchema = z.object({ forwarded_for: z.array(z.string()), client_address: z.string() });

async function readForwarding(publicUrl: string, check: string): Promise<ReadForwarding | null> {
  try {
    const response = await get(`${publicUrl}${forwardingPath}`, {
      [forwardingCheckHeader]: check,
      'x-forwarded-for': forgedAddress,
    });
    return response.status === 200 ? forwardingSchema.parse(await response.json()) : null;
  } catch {
    return null;
  }
}

/**
 * Judges how a request with a forged `X-Forwarded-For` reached the service. Every proxy adds one entry, and the
 * first proxy may also remove the forged one.
 */
export function proxyFinding(
  { forwarded_for: entries, client_address: clientAddress }: ReadForwarding,
  trustedProxies: number,
): Finding {
  const { ok, problem } = findingsOf('proxies');
  const proxies = entries[0] === forgedAddress ? entries.length - 1 : entries.length;
  const setting = `TRUSTED_PROXIES is ${trustedProxies}, and a request through PUBLIC_URL passes ${proxies} proxies.`;
  const advice = `Set TRUSTED_PROXIES=${proxies}, unless clients take another way than this machine.`;
  if (clientAddress === forgedAddress) {
    return problem(`${setting} Clients can choose the address that limits count them by.`, advice);
  }
  if (trustedProxies < proxies) {
    return problem(`${setting} Limits count all clients as one, the proxy at ${clientAddress}.`, advice);
  }
  return trustedProxies === proxies ? ok(setting) : problem(setting, advice);
}

async function get(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return await fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
}

/** Checks that the vendors' hosts, or the sandbox, can be reached. */
export async function checkVendors(
  kinds: readonly Kind[],
  sandboxUrl: string | null,
  database: Database | null,
): Promise<Finding[]> {
  const { ok, warning, problem } = findingsOf('vendors');
  if (sandboxUrl !== null) {
    const error = await connect(sandboxUrl);
    return [
      error === null
        ? ok(`The sandbox at ${sandboxUrl} is reachable. No request is sent to a vendor.`)
        : problem(`The sandbox cannot be reached: ${error}.`, 'Start it, or unset SANDBOX_URL.'),
    ];
  }
  const used = database === null ? new Map<string, number>() : await kindsInUse(database);
  const checked = await Promise.all(
    kinds.flatMap(kind =>
      kind.hosts
        .filter(host => !host.startsWith('*'))
        .map(async host => ({ kind, host, error: await connect(`https://${host}/`) })),
    ),
  );
  const failed = checked.filter(({ error }) => error !== null);
  const reachable = checked.length - failed.length;
  return [
    ...(reachable > 0 ? [ok(`${reachable} of ${checked.length} hosts of vendors are reachable.`)] : []),
    ...failed.map(({ kind, host, error }) => {
      const message = `${host} (${kind.name}) cannot be reached: ${error}.`;
      const advice = `Allow https to ${host}, or ignore this if you do not offer ${kind.name}.`;
      return used.has(kind.key) ? problem(message, `Allow https to ${host}.`) : warning(message, advice);
    }),
  ];
}

/** Returns why a URL cannot be reached, or null if it responds with any status. */
async function connect(url: string): Promise<string | null> {
  const stop = new AbortController();
  try {
    const response = await Promise.race([
      fetch(url, { method: 'HEAD', redirect: 'manual', signal: stop.signal }),
      delay(timeoutMs, null, { signal: stop.signal }),
    ]);
    return response === null ? `no response within ${timeoutMs / 1000} s` : null;
  } catch (error) {
    return reasonOf(error);
  } finally {
    stop.abort();
  }
}

/** Checks whether the kinds of all connectors are loaded. */
export async function checkKinds(
  kinds: readonly Kind[],
  database: Pick<Database, 'kysely'> | null,
): Promise<Finding[]> {
  const { ok, warning, skipped } = findingsOf('kinds');
  if (database === null) return [skipped('The kinds in use are checked once the database can be reached.')];
  const loaded = kinds.map(({ key }) => key);
  const missing = [...(await kindsInUse(database))].filter(([key]) => !loaded.includes(key));
  if (missing.length === 0) return [ok(`Loaded: ${loaded.join(', ')}.`)];
  return missing.map(([key, connectors]) =>
    warning(
      `The connectors of ${key} are not available, because this kind is not loaded (${count(connectors, 'connector')}).`,
      'Name its package or file in KINDS, or delete the connectors.',
    ),
  );
}

/** Checks that the sign-in of agents, if an organization has enabled it, is possible at the public URL. */
export async function checkAgentSignIn(
  publicUrl: string | null,
  database: Pick<Database, 'kysely'> | null,
): Promise<Finding[]> {
  if (publicUrl === null || database === null || new URL(publicUrl).pathname === '/') return [];
  // The schema can be an older one without this column.
  const { rows } = await sql<{ name: string }>`
    select name from organizations where to_jsonb(organizations) ->> 'agent_sign_in' = 'true' order by name`.execute(
    database.kysely,
  );
  if (rows.length === 0) return [];
  const names = rows.map(({ name }) => name).join(', ');
  return [
    findingsOf('agent sign-in').problem(
      `Agents cannot sign in, because PUBLIC_URL has a path (${names}).`,
      'Give the service a host name of its own, or disable agent_sign_in of these organizations.',
    ),
  ];
}

/** Returns the kinds that have connectors, and how many. */
async function kindsInUse({ kysely }: Pick<Database, 'kysely'>): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ kind: string; connectors: number }>`
    select kind, count(*)::integer as connectors from connectors group by kind order by kind`.execute(kysely);
  return new Map(rows.map(({ kind, connectors }) => [kind, connectors]));
}
