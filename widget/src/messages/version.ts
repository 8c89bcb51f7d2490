/** The package's version. Language files have it in their URLs, so that caches do not mix versions. */
export const version = '0.1.0';
