/** What became of the windows that the widget wanted. */
export interface InterceptedWindows {
  /** Addresses that windows were sent to. */
  readonly followed: readonly { readonly url: string; readonly target: string }[];
  /** The windows that were opened, by name. */
  readonly opened: readonly FakeWindow[];
  /** Gives the browser its own behaviour back. */
  release(): void;
}

/** A window of another origin, as far as its opener can see: open or closed. */
export interface FakeWindow {
  readonly name: string;
  closed: boolean;
  close(): void;
}

/**
 * Lets no real window open and no page be left: what the widget does with windows is kept instead.
 * @param isBlocked as by a browser that holds windows back.
 */
export function interceptWindows({ isBlocked = false } = {}): InterceptedWindows {
  const { open } = window;
  // The method itself, to be put back.
  // oxlint-disable-next-line typescript/unbound-method
  const { click } = HTMLAnchorElement.prototype;
  const opened: FakeWindow[] = [];
  const followed: { url: string; target: string }[] = [];
  window.open = (_url, name = '') => {
    if (isBlocked) return null;
    const held: FakeWindow = {
      name,
      closed: false,
      close: () => {
        held.closed = true;
      },
    };
    opened.push(held);
    // The widget uses no more of a window than this.
    return held as unknown as Window;
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
