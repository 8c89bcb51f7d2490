/** What the helper reads of a page's request. A web request is one. */
export interface HelperRequest extends Pick<Request, 'method' | 'url' | 'signal' | 'bodyUsed'> {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: AsyncIterable<Uint8Array> | null;
}
