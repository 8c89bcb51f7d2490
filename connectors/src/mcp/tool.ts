import type { z } from 'zod';
import type { SourceGateway, ToolRights } from './source-gateway.ts';

/** What one call of a tool works with. */
export interface ToolCall {
  readonly sources: SourceGateway;
  readonly rights: ToolRights;
  readonly signal: AbortSignal;
  readonly urls: UrlSupport;
}

/** How the client opens a URL for the user. */
export interface UrlSupport {
  /**
   * | value | the client |
   * |---|---|
   * | `never` | has not declared that it can |
   * | `then_repeats` | opens the URL that an error contains, and can then repeat the same call |
   * | `then_reports` | opens the URL that a result asks for, and repeats the call with what the user decided |
   */
  readonly opens: 'never' | 'then_repeats' | 'then_reports';
  /** What the user decided in the previous round of this call; null in the first. */
  readonly decision: { readonly id: string; readonly isAccepted: boolean } | null;
}

/** Asks the client to open a URL for the user, instead of a result. */
export class UrlRequest {
  /** Identifies the request in the next round of the call. */
  readonly id: string;
  readonly url: string;
  /** What the user reads before they open it. */
  readonly message: string;

  constructor({ id, url, message }: Pick<UrlRequest, 'id' | 'url' | 'message'>) {
    this.id = id;
    this.url = url;
    this.message = message;
  }
}

export type ToolOutput = Readonly<Record<string, unknown>>;

/** A tool for agents. */
export interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint: boolean;
    readonly openWorldHint: boolean;
  };
  readonly run: (input: never, call: ToolCall) => Promise<ToolOutput | UrlRequest>;
}

export function defineTool<Input extends z.ZodObject>(
  tool: Omit<Tool, 'input' | 'run'> & {
    readonly input: Input;
    readonly run: (input: z.output<Input>, call: ToolCall) => Promise<ToolOutput | UrlRequest>;
  },
): Tool {
  return tool;
}
