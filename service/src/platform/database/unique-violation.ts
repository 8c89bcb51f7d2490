/** Returns whether a statement failed because a value that must be unique is already in use. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}

/** Returns whether an error says that a row to which a new row refers does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23503';
}
