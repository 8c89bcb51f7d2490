/** This package’s version: files that belong together carry it in their addresses. */
export const version = '0.1.0';
