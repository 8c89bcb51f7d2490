/** The types of `<connector-auth>` in JSX with Preact: `/// <reference types="@connector-auth/widget/types/preact" />`. */
import type { HTMLAttributes } from 'preact';
import type { Elements, JsxAttributes } from './attributes.ts';

type OwnAttributes = {
  [Tag in keyof Elements]: JsxAttributes<'on'>[Tag] & HTMLAttributes<Elements[Tag]>;
};

declare module 'preact' {
  namespace JSX {
    // oxlint-disable-next-line no-empty-object-type -- only an interface can extend the library's own
    interface IntrinsicElements extends OwnAttributes {}
  }
}
