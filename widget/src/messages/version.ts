/** The package's version. The URLs of language files include it, so that caches do not mix versions. */
export const version = '0.1.0';
