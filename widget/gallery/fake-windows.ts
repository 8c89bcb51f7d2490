/** Records of the windows that the widget tried to open. */
export interface InterceptedWindows {
  /** Links that the widget followed. */
  readonly followed: readonly { readonly url: string; readonly target: string }[];
  /** Forms that the widget submitted. */
  readonly submitted: readonly SubmittedForm[];
  /** Opened windows. */
  readonly opened: readonly FakeWindow[];
  /** The window that opens pop-ups and receives their messages; undefined if the widget opened none. */
  readonly opener: () => Window | undefined;
  /** Restores the browser's behaviour. */
  release(): void;
}

export interface SubmittedForm {
  readonly method: string;
  readonly url: string;
  readonly target: string;
  readonly fields: Readonly<Record<string, string>>;
  /** The referrer policy of the form's document. */
  readonly referrerPolicy: string | undefined;
}

/** The members of a cross-origin window that its opener can access. */
export interface FakeWindow {
  readonly name: string;
  readonly document: Document;
  closed: boolean;
  close(): void;
}

/**
 * Records the windows and navigations that the widget requests in its frames, without performing them.
 * @param isBlocked simulates a pop-up blocker.
 * @param isFormForbidden simulates a host page whose policy forbids forms to the service.
 */
export function interceptWindows({ isBlocked = false, isFormForbidden = false } = {}): InterceptedWindows {
  const contentWindow = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, 'contentWindow');
  const opened: FakeWindow[] = [];
  const followed: { url: string; target: string }[] = [];
  const submitted: SubmittedForm[] = [];
  let opener: Window | undefined;
  Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', {
    configurable: true,
    get(this: HTMLIFrameElement) {
      // The original getter returns a window of this origin, or null.
      const frame = contentWindow?.get?.call(this) as (Window & typeof globalThis) | null;
      if (frame === null) return null;
      opener = frame;
      frame.open = (_url, name = '') => {
        if (isBlocked) return null;
        const fake: FakeWindow = {
          name,
          document: document.implementation.createHTMLDocument(),
          closed: false,
          close: () => {
            fake.closed = true;
          },
        };
        opened.push(fake);
        // The widget uses only these members of a window.
        return fake as unknown as Window;
      };
      frame.HTMLAnchorElement.prototype.click = function () {
        followed.push({ url: this.href, target: this.target });
      };
      frame.HTMLFormElement.prototype.submit = function () {
        if (isFormForbidden) {
          const init = { effectiveDirective: 'form-action' } as SecurityPolicyViolationEventInit;
          frame.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', init));
          return;
        }
        submitted.push({
          method: this.method,
          url: this.action,
          target: this.target,
          // The form has no file inputs.
          fields: Object.fromEntries(new FormData(this)) as Record<string, string>,
          referrerPolicy: this.ownerDocument.querySelector<HTMLMetaElement>('meta[name="referrer"]')?.content,
        });
      };
      return frame;
    },
  });
  return {
    followed,
    submitted,
    opened,
    opener: () => opener,
    release: () => {
      if (contentWindow) Object.defineProperty(HTMLIFrameElement.prototype, 'contentWindow', contentWindow);
    },
  };
}
