import { html, page, type Html } from './html.ts';

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

/**
 * Renders a neutral sign-in page, which is also the consent page. Accounts that are not chosen are folded. Its form posts
 * `decision` (`allow` or `deny`) and `account` to the same URL.
 */
export function renderConsentPage(view: ConsentView): string {
  const { vendorName, appName, accounts, isMultiple = false, permissions } = view;
  const checked = checkedAccounts(view);
  const choice = (account: ConsentAccount): Html =>
    html`<label class="choice">
      <input
        type="${isMultiple ? 'checkbox' : 'radio'}"
        name="account"
        value="${account.id}"
        ${checked.includes(account) && html`checked`}
      />
      <span>${account.title}<small>${account.description}</small></span>
    </label>`;
  const others = accounts.filter(account => !checked.includes(account));
  return signInPage(
    vendorName,
    html`<h1>${appName} wants to access your ${vendorName} data</h1>
      <form method="post">
        <div class="scroller">
          <fieldset>
            <legend>${checked.length > 1 ? 'Accounts' : 'Account'}</legend>
            ${checked.map(choice)}
            ${
              others.length > 0 &&
              html`<details>
                <summary>More test accounts</summary>
                ${others.map(choice)}
              </details>`
            }
          </fieldset>
          ${
            permissions.length > 0 &&
            html`<p>${appName} will be able to:</p>
              <ul>
                ${permissions.map(permission => html`<li>${permission}</li>`)}
              </ul>`
          }
        </div>
        <div class="actions">
          <button class="primary" name="decision" value="allow">Allow</button>
          <button name="decision" value="deny">Deny</button>
        </div>
      </form>`,
  );
}

/** Renders the page for an invalid authorization request, which does not redirect the user. */
export function renderConsentProblem(vendorName: string, problem: string): string {
  return signInPage(
    vendorName,
    html`<h1>Something went wrong</h1>
      <p class="bad">${problem}</p>
      <p class="quiet">No access was granted. You can close this window.</p>`,
  );
}

function signInPage(vendorName: string, body: Html): string {
  return page(
    `Sign in – ${vendorName} (simulated)`,
    html`<main class="sign-in">
      <header>
        <span class="letter" aria-hidden="true">${vendorName.charAt(0)}</span>
        <strong>${vendorName}</strong>
        <span class="badge" title="A test server shows this page, not ${vendorName}">Simulated</span>
      </header>
      ${body}
    </main>`,
  );
}
