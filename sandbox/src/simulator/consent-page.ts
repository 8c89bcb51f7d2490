import { html, page } from './html.ts';

/** An account to choose on the consent page. */
export interface ConsentAccount {
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Whether the account is chosen when the page opens. Defaults to the first account. */
  readonly isChecked?: boolean;
  /** The id of the small business whose account it is. Absent for accounts of other companies. */
  readonly business?: string | undefined;
}

/** The content of a consent page. */
export interface ConsentView {
  readonly vendorName: string;
  readonly appName: string;
  readonly accounts: readonly ConsentAccount[];
  /** Whether several accounts can be chosen. */
  readonly isMultiple?: boolean;
  /** What the app will be able to do, as sentences. */
  readonly permissions: readonly string[];
}

/** Returns the accounts that are chosen when the page opens. */
export function checkedAccounts({ accounts }: Pick<ConsentView, 'accounts'>): readonly ConsentAccount[] {
  const checked = accounts.filter(({ isChecked }) => isChecked);
  return checked.length > 0 ? checked : accounts.slice(0, 1);
}

/** Renders the consent page. Its form posts `decision` (`allow` or `deny`) and `account` to the same URL. */
export function renderConsentPage(view: ConsentView): string {
  const { vendorName, appName, accounts, isMultiple = false, permissions } = view;
  const checked = checkedAccounts(view);
  return page(
    `Allow ${appName}? – ${vendorName} simulator`,
    html`<main class="narrow consent">
      <span class="badge">Simulator – not the real ${vendorName}</span>
      <h1>Allow “${appName}” to access your ${vendorName} data?</h1>
      <form method="post">
        <div class="choices">
          <fieldset>
            <legend>${isMultiple ? 'Accounts' : 'Account'}</legend>
            ${accounts.map(
              account =>
                html`<label>
                  <input
                    type="${isMultiple ? 'checkbox' : 'radio'}"
                    name="account"
                    value="${account.id}"
                    ${checked.includes(account) && html`checked`}
                  />
                  <span>${account.title}<small>${account.description}</small></span>
                </label>`,
            )}
          </fieldset>
          ${
            permissions.length > 0 &&
            html`<p>This app will be able to:</p>
              <ul>
                ${permissions.map(permission => html`<li>${permission}</li>`)}
              </ul>`
          }
        </div>
        <div class="actions">
          <button class="primary" name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>
    </main>`,
  );
}

/** Renders the page for an invalid authorization request, which does not redirect the user. */
export function renderConsentProblem(vendorName: string, problem: string): string {
  return page(
    `Something went wrong – ${vendorName} simulator`,
    html`<main class="narrow">
      <span class="badge">Simulator – not the real ${vendorName}</span>
      <h1>Something went wrong</h1>
      <p class="bad">${problem}</p>
      <p class="quiet">No access was granted. You can close this window.</p>
    </main>`,
  );
}
