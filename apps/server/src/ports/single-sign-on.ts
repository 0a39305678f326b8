/** The organisation's own sign-in, by OpenID Connect. */
export interface SingleSignOn {
  /** Name on the console's button. */
  name: string;
  /**
   * Returns where to send the browser, and what its return is checked by. Fresh: the person gives their credentials again.
   * Throws ProviderUnavailable.
   */
  begin(returnTo: URL, isFresh: boolean): Promise<{ url: URL; kept: string }>;
  /** Returns the person who came back; undefined for an answer that is not for `kept`, or an unproven address. */
  finish(returnedTo: URL, kept: string): Promise<ProvenPerson | undefined>;
}

export interface ProvenPerson {
  email: string;
  /** When they gave their credentials. */
  provenAt: Date;
}
