import enums from './enums.json' with { type: 'json' };

/** The enums that queries can use, from the public protocol definitions (v25). */
export const ENUMS = enums;

export type EnumName = keyof typeof ENUMS;
