import type { Issue } from '@connector-auth/api';
import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { ApiError } from '../api/api-error.ts';
import { guardLeaving } from './leave-guard.ts';

export type Value = string | boolean | readonly string[] | null;
export type FormValues = Record<string, Value>;

export interface FormOptions<Values extends FormValues> {
  /** Loads the values that are stored now, after the API rejected a change with `edit_conflict`. */
  readonly loadStored?: () => Promise<Values>;
  /** Whether the operator can leave the page without a warning although values were changed. */
  readonly isDisposable?: boolean;
  /** Whether the response contains a secret that cannot be shown again, so that it is lost if the page is left before. */
  readonly createsSecret?: boolean;
}

/** The values, errors and progress of one form. */
export class Form<Values extends FormValues> implements ReactiveController {
  values: Values;
  isBusy = false;
  /** The reason why the last attempt failed, as far as no field shows it. */
  failure: ApiError | null = null;
  /** Newer values that someone else has saved. The operator must see them before the form can be sent. */
  conflict: Values | null = null;
  /** Secrets that are shown as text. */
  readonly revealed = new Set<string>();
  #initial: Values;
  #issues: ReadonlyMap<string, string> = new Map();
  #required = new Map<string, string>();
  #numbers = new Set<string>();
  #fields = new Set<string>();
  #sent: { readonly values: string; readonly key: string } | null = null;

  constructor(
    private readonly host: ReactiveControllerHost & HTMLElement,
    initial: Values,
    private readonly options: FormOptions<Values> = {},
  ) {
    this.values = initial;
    this.#initial = initial;
    host.addController(this);
    if (!options.isDisposable) guardLeaving(host, 'input', () => this.isChanged);
    if (options.createsSecret) guardLeaving(host, 'secret', () => this.isBusy);
  }

  hostUpdate(): void {
    this.#required.clear();
    this.#numbers.clear();
    this.#fields.clear();
  }

  /** Declares a field. The templates of fields call this while they render. */
  declare(path: string, requiredMessage: string | null, isNumber = false): void {
    this.#fields.add(path);
    if (isNumber) this.#numbers.add(path);
    if (requiredMessage !== null) this.#required.set(path, requiredMessage);
  }

  set(name: string, value: Value): void {
    this.values = { ...this.values, [name]: value };
    if (this.#issues.has(name)) {
      const { [name]: _fixed, ...others } = Object.fromEntries(this.#issues);
      this.#issues = new Map(Object.entries(others));
    }
    this.host.requestUpdate();
  }

  /** Starts again with other values, for example after they were saved. */
  reset(values: Values): void {
    this.values = values;
    this.#initial = values;
    this.#issues = new Map();
    this.#sent = null;
    this.failure = null;
    this.conflict = null;
    this.host.requestUpdate();
  }

  /** Sets a value that the operator has not entered. */
  prefill(name: string, value: Value): void {
    this.#initial = { ...this.#initial, [name]: value };
    this.set(name, value);
  }

  /**
   * Shows values that were loaded again, unless the operator has changed some. Returns whether the form now starts
   * from them.
   */
  refresh(values: Values): boolean {
    if (this.isChanged || this.isBusy) return false;
    if (JSON.stringify(values) !== JSON.stringify(this.#initial)) this.reset(values);
    return true;
  }

  /** Takes over the newer values of the fields that the operator has not changed. */
  resolveConflict(): void {
    if (!this.conflict) return;
    const changed = Object.fromEntries(this.changedNames.map(name => [name, this.values[name]]));
    this.#initial = this.conflict;
    this.values = { ...this.conflict, ...changed };
    this.conflict = null;
    this.host.requestUpdate();
  }

  issueOf(path: string): string | null {
    return this.#issues.get(path) ?? null;
  }

  /** The fields whose values differ from the initial ones. */
  get changedNames(): readonly string[] {
    return Object.keys(this.values).filter(
      name => JSON.stringify(this.values[name]) !== JSON.stringify(this.#initial[name]),
    );
  }

  /** Returns a value as it was before the operator changed it. */
  initialOf(name: string): Value | undefined {
    return this.#initial[name];
  }

  get isChanged(): boolean {
    return this.changedNames.length > 0;
  }

  /**
   * Checks the required fields and sends the form. While it is being sent, it cannot be sent again.
   * @param send receives an idempotency key that stays the same until a value changes.
   * @returns what `send` returned, or null if a field is invalid or the request failed.
   */
  async submit<Result>(
    send: (values: Values, idempotencyKey: string) => Promise<Result>,
  ): Promise<Result | null> {
    if (this.isBusy) return null;
    this.failure = null;
    const textOf = (name: string) => String(this.values[name] ?? '').trim();
    this.#issues = new Map([
      ...[...this.#numbers]
        .filter(name => !/^\d*$/.test(textOf(name)))
        .map(name => [name, 'Enter a whole number'] as const),
      ...[...this.#required].filter(([name]) => textOf(name) === ''),
    ]);
    if (this.#issues.size > 0 || this.conflict) {
      await this.#focusFirstIssue();
      return null;
    }
    this.isBusy = true;
    this.host.requestUpdate();
    const { values } = this;
    try {
      const result = await send(values, this.#keyOf(values));
      this.isBusy = false;
      this.#sent = null;
      this.#initial = values;
      this.host.requestUpdate();
      return result;
    } catch (error) {
      await this.#handle(ApiError.of(error));
      return null;
    }
  }

  async #handle(error: ApiError): Promise<void> {
    const { loadStored } = this.options;
    if (error.code === 'edit_conflict' && loadStored) {
      try {
        this.conflict = await loadStored();
      } catch (reason) {
        this.failure = ApiError.of(reason);
      }
      this.isBusy = false;
      await this.#focusFirstIssue();
    } else {
      this.isBusy = false;
      await this.fail(error);
    }
  }

  /** Shows an error at the fields that it is about, or above the form. */
  async fail(error: ApiError): Promise<void> {
    const issues = issuesOf(error);
    const atFields = issues.filter(({ path }) => this.#fieldOf(path) !== null);
    this.#issues = new Map(
      atFields.toReversed().map(({ path, message }) => [this.#fieldOf(path) ?? path, inLine(path, message)]),
    );
    const isShown = atFields.length > 0 && atFields.length === issues.length;
    this.failure = isShown ? null : error;
    await this.#focusFirstIssue();
  }

  /** Shows an error at a field. */
  async reject(name: string, message: string): Promise<void> {
    this.#issues = new Map([[name, message]]);
    await this.#focusFirstIssue();
  }

  /** Returns the field that shows the issues of a path. Issues inside a value belong to its field. */
  #fieldOf(path: string): string | null {
    if (this.#fields.has(path)) return path;
    const parent = path.replace(/\.[^.]*$/, '');
    return parent !== path && this.#fields.has(parent) ? parent : null;
  }

  #keyOf(values: Values): string {
    const text = JSON.stringify(values);
    if (this.#sent?.values !== text) this.#sent = { values: text, key: randomKey() };
    return this.#sent.key;
  }

  async #focusFirstIssue(): Promise<void> {
    this.host.requestUpdate();
    await this.host.updateComplete;
    const scope = this.host.querySelector('dialog[open]') ?? this.host;
    scope.querySelector<HTMLElement>('[aria-invalid="true"], .notice.bad, .notice.conflict')?.focus();
  }
}

/** Returns the invalid fields. A name that is taken is about the field “name” even if the response names no field. */
function issuesOf({ code, issues, message }: ApiError): readonly Issue[] {
  return code === 'already_exists' && issues.length === 0 ? [{ path: 'name', message }] : issues;
}

/** Names the line that an issue is about, in a field with one value per line. */
function inLine(path: string, message: string): string {
  const index = /\.(\d+)$/.exec(path)?.[1];
  return index === undefined ? message : `Line ${Number(index) + 1}: ${message}`;
}

/** Returns 128 random bits. `crypto.randomUUID` needs https, which a private address may not have. */
function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('');
}
