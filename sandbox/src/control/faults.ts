import { SandboxError } from '../simulator/sandbox-error.ts';

/**
 * Something that goes wrong on purpose. Without `vendor` and `path` it hits every vendor request, without `count` until it
 * is removed. Apart from `latencyMs`, which goes with anything, a fault does exactly one thing.
 */
export interface Fault {
  /** A vendor's key; absent = all. */
  vendor?: string;
  /** Only this method. */
  method?: string;
  /** The path at the vendor, without the host, `*` standing for anything: `/v1/notes*`. */
  path?: string;
  /** How many of the matching requests go through unharmed first. */
  skip?: number;
  /** How many requests it hits. */
  count?: number;
  /** Waits this long before anything else happens. */
  latencyMs?: number;
  /** Answers with this status in the vendor's own words; 429 is the vendor's own way to say "too fast". */
  status?: number;
  /** Seconds to wait, told in the vendor's own way where it has one; only with status 429 or 503. */
  retryAfter?: number;
  /** Sends half of the real answer, then cuts the connection. */
  truncate?: boolean;
  /** Sends the real status with a body that is not JSON. */
  invalidJson?: boolean;
  /** Sends an HTML page, as a gateway does; its status is 502 unless `status` says otherwise. */
  html?: boolean;
  /** Never answers. */
  hang?: boolean;
  /** Cuts the connection without an answer. */
  closeConnection?: boolean;
}

/** A fault in force. */
export interface ActiveFault extends Fault {
  readonly id: string;
  /** How many requests it has hit. */
  readonly hits: number;
}

/** The faults in force; of several that match a request, the one added first applies. */
export interface Faults {
  /** Puts a fault in force; one that is not well-formed throws a `SandboxError`. */
  add(fault: Fault): ActiveFault;
  list(): ActiveFault[];
  /** Removes one; false when there is none with this id. */
  remove(id: string): boolean;
  /** Removes those of a vendor, or all. */
  clear(vendor?: string): void;
  /** The fault this request gets, counted as hit. */
  take(request: { vendor: string; method: string; path: string }): Fault | undefined;
}

/** No faults yet; one for a vendor that is not among these is refused. */
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

/** A well-formed fault out of anything, or a `SandboxError` that says what is wrong with it. */
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
    if (typeof value !== KINDS[name]) throw new SandboxError(`fault field "${name}" must be a ${KINDS[name]}`);
    if (typeof value === 'number' && !(Number.isInteger(value) && value >= 0)) {
      throw new SandboxError(`fault field "${name}" must be an integer of at least 0`);
    }
  }
  // Each key was just checked against the kind the interface gives it.
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
    throw new SandboxError('a fault can have only one effect besides latencyMs; add a second fault for a second effect');
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
