import { randomHex } from './secrets.ts';
import { writeWaitingPage, type WaitingPage } from './waiting-page.ts';

/** An OAuth session that the user can start. */
export interface StartableSession {
  readonly id: string;
  /** The consent URL. Users who follow it have to confirm. */
  readonly url: string;
  /** Proves that this widget requested the session. Undefined if the service is older than the widget. */
  readonly proof: string | undefined;
}

/** Where the user consents: a pop-up, or the page's own window. */
export interface ConsentWindow {
  /** The name of the pop-up, or `_self` for the page's own window. */
  readonly name: string;
  /** Whether the browser blocked the pop-up, so that only a click can open it. */
  readonly isBlocked: () => boolean;
  /** Receives the messages of the pop-up. */
  readonly messages: EventTarget;
  readonly isPopup: (source: MessageEventSource | null) => boolean;
  /** Goes to the vendor's page. Opens the pop-up again if the user closed it, which requires a click. */
  readonly start: (session: StartableSession) => void;
  /** Closes the pop-up, if nothing has severed it. */
  readonly close: () => void;
}

/**
 * Opens a pop-up, or prepares to navigate the page's own window. Call it synchronously in the click handler.
 *
 * An empty frame is the opener of the pop-up and submits the form that starts the session. Pages in the pop-up
 * can then navigate neither the host page nor the frame, but the widget can still close and reuse the pop-up.
 * The frame also has a referrer policy of its own: under the host page's `no-referrer`, the service would not
 * learn from which page the form comes.
 * @param waitingPage what the pop-up shows at once.
 */
export function openConsentWindow(isRedirect: boolean, waitingPage: WaitingPage | undefined): ConsentWindow {
  const name = isRedirect ? '_self' : `connector-auth-${randomHex(8)}`;
  const frame = document.createElement('iframe');
  frame.style.setProperty('display', 'none', 'important');
  document.body.append(frame);
  // A frame in the document has a window.
  const opener = frame.contentWindow as Window & typeof globalThis;
  const meta = opener.document.createElement('meta');
  meta.name = 'referrer';
  meta.content = 'strict-origin-when-cross-origin';
  opener.document.head.append(meta);
  const popup = isRedirect ? null : opener.open('', name, popupFeatures());
  if (popup && waitingPage) writeWaitingPage(popup, waitingPage);
  const target = isRedirect ? '_parent' : name;
  let isFormForbidden = false;
  return {
    name,
    isBlocked: () => !isRedirect && (!popup || popup.closed),
    messages: opener,
    isPopup: source => source === popup,
    start: session => {
      const { document } = opener;
      const { id, url, proof } = session;
      if (proof === undefined || isFormForbidden) {
        followLink(document, url, target);
        return;
      }
      // The frame inherits the host page's policy.
      opener.addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
        if (effectiveDirective !== 'form-action' || isFormForbidden) return;
        isFormForbidden = true;
        // oxlint-disable-next-line no-console -- where integrators look for errors in their own code
        console.warn(
          `<connector-auth>: add ${new URL(url).origin} to form-action in this page's Content-Security-Policy; until then, customers have to confirm before they sign in`,
        );
        followLink(document, url, target);
      });
      const action = new URL('../start', url).href;
      submitForm(document, { action, target, fields: { session_id: id, start_proof: proof } });
    },
    close: () => {
      popup?.close();
      frame.remove();
    },
  };
}

function followLink(document: Document, url: string, target: string): void {
  const link = document.createElement('a');
  link.href = url;
  link.target = target;
  document.body.append(link);
  link.click();
  link.remove();
}

/** Submits a form and removes it, so that the start proof does not stay in the document. */
function submitForm(
  document: Document,
  {
    action,
    target,
    fields,
  }: { readonly action: string; readonly target: string; readonly fields: Readonly<Record<string, string>> },
): void {
  const form = document.createElement('form');
  form.method = 'post';
  form.action = action;
  form.target = target;
  for (const [name, value] of Object.entries(fields)) {
    const input = document.createElement('input');
    input.type = 'hidden';
    input.name = name;
    input.value = value;
    form.append(input);
  }
  document.body.append(form);
  form.submit();
  form.remove();
}

function popupFeatures(): string {
  const left = screenX + outerWidth / 2 - 300;
  const top = screenY + outerHeight / 2 - 360;
  return `popup,width=600,height=720,left=${left},top=${top}`;
}
