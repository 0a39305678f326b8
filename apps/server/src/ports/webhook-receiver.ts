/** An endpoint's answer to a webhook; without a status there was none. */
export interface WebhookAnswer {
  status: number | null;
  /** The start of its body, or why none came. */
  text: string;
}

/** Other organisations' servers that get our events. */
export interface WebhookReceivers {
  /** Returns why an address is never called; undefined where it may be. */
  problemOf(url: URL): string | undefined;
  /** Posts JSON, following no redirect. Always answers, within seconds. */
  post(url: URL, headers: Record<string, string>, body: string): Promise<WebhookAnswer>;
}
