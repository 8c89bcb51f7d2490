/** The types of `<connector-auth>` in JSX with Solid: `/// <reference types="@connector-auth/widget/types/solid" />`. */
import type { JSX as SolidJsx } from 'solid-js';
import type { Elements, JsxAttributes } from './attributes.ts';

type OwnAttributes = {
  [Tag in keyof Elements]: JsxAttributes<'on:'>[Tag] & SolidJsx.HTMLAttributes<Elements[Tag]>;
};

declare module 'solid-js' {
  namespace JSX {
    // oxlint-disable-next-line no-empty-object-type -- only an interface can extend the library's own
    interface IntrinsicElements extends OwnAttributes {}
  }
}
