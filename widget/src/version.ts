/** This package's version. Internal element names carry it, so that two versions can live on one page. */
export const version = '0.1.0';
