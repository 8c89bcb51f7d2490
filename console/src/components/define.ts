import { ConfirmDialog } from './confirm-dialog.ts';
import { ConnectCode } from './connect-code.ts';
import { CopyButton } from './copy-button.ts';
import { FirstConnector } from './first-connector.ts';
import { OrganizationPicker } from './organization-picker.ts';
import { Picker } from './picker.ts';
import { SecretGuard } from './secret-guard.ts';
import { Toasts } from './toasts.ts';

/** Registers the elements that all pages use. */
export function defineComponents(): void {
  customElements.define('console-connect-code', ConnectCode);
  customElements.define('console-copy', CopyButton);
  customElements.define('console-confirm', ConfirmDialog);
  customElements.define('console-first-connector', FirstConnector);
  customElements.define('console-organization-picker', OrganizationPicker);
  customElements.define('console-picker', Picker);
  customElements.define('console-secret-guard', SecretGuard);
  customElements.define('console-toasts', Toasts);
}
