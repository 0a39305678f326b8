/** The outside service did not answer, or not in a way that can be understood. Nothing may be concluded from it. */
export class ProviderUnavailable extends Error {
  override name = 'ProviderUnavailable';
  /** Set where it takes no call from us for now. */
  readonly isBusy: boolean;
  constructor(message: string, { isBusy = false, ...options }: ErrorOptions & { isBusy?: boolean } = {}) {
    super(message, options);
    this.isBusy = isBusy;
  }
}

/** Our own limit of calls left no turn for this one: it was not made, and proves nothing about the provider. */
export class NoFreeTurn extends ProviderUnavailable {
  override name = 'NoFreeTurn';
}

/** An outside service refused; `reason` is for operators, never public. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`The provider refused: ${reason}`, options);
    this.reason = reason;
  }
}
