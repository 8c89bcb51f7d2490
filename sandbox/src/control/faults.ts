import { SandboxError } from '../simulator/sandbox-error.ts';

/**
 * An injected fault. If `vendor` and `path` are omitted, it affects every vendor request; if `count` is
 * omitted, it stays active until removed. Has exactly one effect, optionally combined with `latencyMs`.
 */
export interface Fault {
  /** The key of the affected vendor. Defaults to all vendors. */
  vendor?: string;
  /** Affects only requests with this method. */
  method?: string;
  /** Affects only requests to this path, without the host. `*` is a wildcard, as in `/v1/notes*`. */
  path?: string;
  /** The number of matching requests to let through before the first affected one. */
  skip?: number;
  /** The number of requests to affect. */
  count?: number;
  /** Delays the request by this many milliseconds. */
  latencyMs?: number;
  /** Responds with the vendor's error for this HTTP status. 429 sends the vendor's rate-limit response. */
  status?: number;
  /** The seconds to wait before a retry, sent in the vendor's format. Allowed only with status 429 or 503. */
  retryAfter?: number;
  /** Sends half of the real response, then closes the connection. */
  truncate?: boolean;
  /** Sends the real status with a body that is not JSON. */
  invalidJson?: boolean;
  /** Sends an HTML page as a gateway would, with `status` or, by default, 502. */
  html?: boolean;
  /** Never responds. */
  hang?: boolean;
  /** Closes the connection without a response. */
  closeConnection?: boolean;
}

/** An active fault. */
export interface ActiveFault extends Fault {
  readonly id: string;
  /** The number of requests that the fault has affected. */
  readonly hits: number;
}

/** The active faults. If several match a request, the one added first applies. */
export interface Faults {
  /** Activates a fault; throws a `SandboxError` if it is invalid. */
  add(fault: Fault): ActiveFault;
  list(): ActiveFault[];
  /** Removes a fault; returns false if the id is unknown. */
  remove(id: string): boolean;
  /** Removes one vendor's faults, or all faults. */
  clear(vendor?: string): void;
  /** Returns the fault that applies to this request and increments its hit count. */
  take(request: { vendor: string; method: string; path: string }): Fault | undefined;
}

/** Creates an empty fault list for these vendors. */
export function createFaults(vendors: readonly string[]): Faults {
  const active = new Map<string, { fault: Fault; seen: number; hits: number }>();
  let lastId = 0;

  const show = (id: string, { fault, hits }: { fault: Fault; hits: number }): ActiveFault => ({
    id,
    ...fault,
    hits,
  });

  return {
    add: input => {
      const fault = parseFault(input);
      if (fault.vendor !== undefined && !vendors.includes(fault.vendor)) {
        throw new SandboxError(`unknown vendor "${fault.vendor}"; known vendors: ${vendors.join(', ')}`);
      }
      const id = `fault-${++lastId}`;
      const entry = { fault, seen: 0, hits: 0 };
      active.set(id, entry);
      return show(id, entry);
    },
    list: () => [...active].map(([id, entry]) => show(id, entry)),
    remove: id => active.delete(id),
    clear: vendor => {
      for (const [id, { fault }] of active) if (!vendor || fault.vendor === vendor) active.delete(id);
    },
    take: request => {
      for (const [id, entry] of active) {
        if (!matches(entry.fault, request)) continue;
        entry.seen += 1;
        if (entry.seen <= (entry.fault.skip ?? 0)) continue;
        entry.hits += 1;
        if (entry.hits === entry.fault.count) active.delete(id);
        return entry.fault;
      }
      return undefined;
    },
  };
}

function matches(fault: Fault, request: { vendor: string; method: string; path: string }): boolean {
  return (
    (!fault.vendor || fault.vendor === request.vendor) &&
    (!fault.method || fault.method.toUpperCase() === request.method) &&
    (!fault.path || globToPattern(fault.path).test(request.path))
  );
}

function globToPattern(glob: string): RegExp {
  const literal = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
  return new RegExp(`^${glob.split('*').map(literal).join('.*')}$`);
}

const KINDS: Record<keyof Fault, 'string' | 'number' | 'boolean'> = {
  vendor: 'string',
  method: 'string',
  path: 'string',
  skip: 'number',
  count: 'number',
  latencyMs: 'number',
  status: 'number',
  retryAfter: 'number',
  truncate: 'boolean',
  invalidJson: 'boolean',
  html: 'boolean',
  hang: 'boolean',
  closeConnection: 'boolean',
};

/** Validates a fault; throws a `SandboxError` that describes the first issue. */
export function parseFault(input: unknown): Fault {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new SandboxError(
      'a fault must be a JSON object, for example {"vendor": "granola", "status": 429, "count": 2}',
    );
  }
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!isFaultKey(name)) {
      throw new SandboxError(`unknown fault field "${name}"; known fields: ${Object.keys(KINDS).join(', ')}`);
    }
    if (typeof value !== KINDS[name])
      throw new SandboxError(`fault field "${name}" must be a ${KINDS[name]}`);
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 0)) {
      throw new SandboxError(`fault field "${name}" must be an integer of at least 0`);
    }
  }
  // Every field was checked above.
  const fault = Object.fromEntries(given) as Fault;
  checkEffects(fault);
  return fault;
}

function checkEffects(fault: Fault): void {
  const effects = (['truncate', 'invalidJson', 'hang', 'closeConnection'] as const).filter(
    name => fault[name],
  );
  const responses = fault.html || fault.status !== undefined ? 1 : 0;
  if (effects.length + responses > 1)
    throw new SandboxError(
      'a fault can have only one effect besides latencyMs; add a second fault for a second effect',
    );
  if (effects.length + responses === 0 && fault.latencyMs === undefined) {
    throw new SandboxError(
      'a fault needs latencyMs, status, truncate, invalidJson, html, hang or closeConnection',
    );
  }
  if (fault.status !== undefined && !(fault.status >= (fault.html ? 200 : 400) && fault.status <= 599)) {
    throw new SandboxError('fault field "status" must be 400 to 599, or 200 to 599 with html');
  }
  if (fault.retryAfter !== undefined && fault.status !== 429 && fault.status !== 503) {
    throw new SandboxError('fault field "retryAfter" requires status 429 or 503');
  }
  if (fault.count === 0) throw new SandboxError('fault field "count" must be at least 1');
}

function isFaultKey(name: string): name is keyof Fault {
  return Object.hasOwn(KINDS, name);
}
