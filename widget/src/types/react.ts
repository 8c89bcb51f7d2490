/** The types of `<connector-auth>` in JSX with React 19: `/// <reference types="@connector-auth/widget/types/react" />`. */
import type { DetailedHTMLProps, HTMLAttributes } from 'react';
import type { Elements, JsxAttributes } from './attributes.ts';

type OwnAttributes = {
  [Tag in keyof Elements]: JsxAttributes<'on'>[Tag] &
    DetailedHTMLProps<HTMLAttributes<Elements[Tag]>, Elements[Tag]>;
};

declare module 'react' {
  namespace JSX {
    // oxlint-disable-next-line no-empty-object-type -- only an interface can extend the library's own
    interface IntrinsicElements extends OwnAttributes {}
  }
}
