import { z } from 'zod';
import { asObject } from '../kind/record.ts';
import { camelCase } from './field-names.ts';

/** Fields that every update can change. */
export const changes = {
  name: z.string().min(1).optional().describe('New name'),
  status: z.enum(['ENABLED', 'PAUSED'], 'Use "ENABLED" or "PAUSED"').optional().describe('New status'),
};

/**
 * Creates the schema for an update operation.
 * @param update strict schema of `resourceName` and the fields that an update can change.
 */
export function updateOperation<Update extends z.ZodObject>(update: Update) {
  return z
    .strictObject({
      updateMask: z
        .string()
        .optional()
        .describe(
          'Comma-separated fields to update, such as `name,status`. Default: every field in `update`.',
        ),
      update: update.optional().describe('Fields to update'),
    })
    .check(
      z.superRefine(
        (operation, context) => {
          for (const { path, message } of maskIssues(operation)) {
            context.addIssue({ code: 'custom', path, message, input: operation });
          }
        },
        // Checked even if other fields are invalid, so that all issues are reported together.
        { when: () => true },
      ),
    );
}

/** Validates the update mask even if other fields of the operation are invalid. */
function maskIssues(operation: unknown): { path: string[]; message: string }[] {
  const { updateMask, update } = asObject(operation);
  if (update === undefined) return [];
  const given = fieldsOf(update);
  if (updateMask === undefined) {
    return given.length === 0
      ? [{ path: ['update'], message: 'Must contain at least one field besides resourceName' }]
      : [];
  }
  if (typeof updateMask !== 'string') return [];
  const masked = readMask(updateMask);
  if (masked.length === 0)
    return [
      {
        path: ['updateMask'],
        message: 'Must list at least one field. To update every field in `update`, omit this parameter.',
      },
    ];
  const missing = masked.filter(name => !given.includes(name));
  return missing.map(name => ({
    path: ['updateMask'],
    message: `Lists “${name}”, which is missing from \`update\``,
  }));
}

/** Converts an operation to Google's format, which requires a mask. */
export function toUpdate(operation: { updateMask?: string | undefined; update?: object | undefined }) {
  if (operation.update === undefined) return operation;
  const mask =
    operation.updateMask === undefined ? fieldsOf(operation.update) : readMask(operation.updateMask);
  return { updateMask: mask.join(','), update: operation.update };
}

function fieldsOf(update: unknown): string[] {
  return Object.entries(asObject(update)).flatMap(([name, value]) =>
    name === 'resourceName' || value === undefined ? [] : [name],
  );
}

/** Parses the field names in a mask and converts them to camelCase, as used in JSON. */
function readMask(mask: string): string[] {
  const names = mask.split(',').map(name => camelCase(name.trim()));
  return [...new Set(names)].filter(name => name !== '');
}
