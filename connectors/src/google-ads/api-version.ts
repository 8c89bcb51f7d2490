/**
 * The newest major API version that this code was written for. Google supports each version for about a year.
 */
export const newestVersion = 'v25';
