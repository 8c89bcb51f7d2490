import { SandboxError } from './sandbox-error.ts';

/** What a switch of a simulator can hold. */
export type SettingValue = string | number | boolean;

/** The switches of one vendor, changed while it runs; names and types are fixed by the declared defaults. */
export interface Settings {
  flag(name: string): boolean;
  number(name: string): number;
  text(name: string): string;
  /** Every switch with its present value. */
  all(): Record<string, SettingValue>;
  /** Changes some; an unknown name or another type than the default's changes nothing and throws a `SandboxError`. */
  set(changes: Record<string, unknown>): void;
  /** Back to the defaults. */
  reset(): void;
}

/** Switches with these names, types and first values. */
export function createSettings(defaults: Readonly<Record<string, SettingValue>>): Settings {
  const values = new Map<string, SettingValue>(Object.entries(defaults));

  const read = (name: string): SettingValue => {
    const value = values.get(name);
    if (value === undefined) throw unknownSetting(name, values);
    return value;
  };

  return {
    flag: name => read(name) === true,
    number: name => Number(read(name)),
    text: name => String(read(name)),
    all: () => Object.fromEntries(values),
    set: changes => {
      const checked = Object.entries(changes).map(([name, value]): [string, SettingValue] => {
        const present = read(name);
        if (!isSettingValue(value) || typeof value !== typeof present) {
          throw new SandboxError(`setting "${name}" must be a ${typeof present}`);
        }
        return [name, value];
      });
      for (const [name, value] of checked) values.set(name, value);
    },
    reset: () => {
      for (const [name, value] of Object.entries(defaults)) values.set(name, value);
    },
  };
}

function isSettingValue(value: unknown): value is SettingValue {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

function unknownSetting(name: string, values: ReadonlyMap<string, SettingValue>): SandboxError {
  return new SandboxError(`unknown setting "${name}"; known settings: ${[...values.keys()].join(', ') || 'none'}`);
}
