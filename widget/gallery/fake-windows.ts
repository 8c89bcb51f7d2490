/** Records of the windows that the widget tried to open. */
export interface InterceptedWindows {
  /** Links that the widget followed. */
  readonly followed: readonly { readonly url: string; readonly target: string }[];
  /** Opened windows. */
  readonly opened: readonly FakeWindow[];
  /** Restores the browser's behaviour. */
  release(): void;
}

/** The members of a cross-origin window that its opener can access. */
export interface FakeWindow {
  readonly name: string;
  closed: boolean;
  close(): void;
}

/**
 * Records the windows and navigations that the widget requests, without performing them.
 * @param isBlocked simulates a pop-up blocker.
 */
export function interceptWindows({ isBlocked = false } = {}): InterceptedWindows {
  const { open } = window;
  // Restored by release().
  // oxlint-disable-next-line typescript/unbound-method
  const { click } = HTMLAnchorElement.prototype;
  const opened: FakeWindow[] = [];
  const followed: { url: string; target: string }[] = [];
  window.open = (_url, name = '') => {
    if (isBlocked) return null;
    const fake: FakeWindow = {
      name,
      closed: false,
      close: () => {
        fake.closed = true;
      },
    };
    opened.push(fake);
    // The widget uses only these members of a window.
    return fake as unknown as Window;
  };
  HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    followed.push({ url: this.href, target: this.target });
  };
  return {
    followed,
    opened,
    release: () => {
      window.open = open;
      HTMLAnchorElement.prototype.click = click;
    },
  };
}
