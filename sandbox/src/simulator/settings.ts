import { SandboxError } from './sandbox-error.ts';

/** The value of a setting. */
export type SettingValue = string | number | boolean;

/** The settings of one vendor. The declared defaults determine their names and types. */
export interface Settings {
  flag(name: string): boolean;
  number(name: string): number;
  text(name: string): string;
  /** All settings with their current values. */
  all(): Record<string, SettingValue>;
  /**
   * Changes all given settings, or none: throws a `SandboxError` if any name is unknown or any type is wrong.
   */
  set(changes: Record<string, unknown>): void;
  /** Restores the defaults. */
  reset(): void;
}

/** Creates settings with these names, types and initial values. */
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
  return new SandboxError(
    `unknown setting "${name}"; known settings: ${[...values.keys()].join(', ') || 'none'}`,
  );
}
