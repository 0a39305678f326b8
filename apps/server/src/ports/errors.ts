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

/** An outside service refused; `reason` is for operators, never public. */
export class ProviderRefused extends Error {
  override name = 'ProviderRefused';
  readonly reason: string;
  constructor(reason: string, options?: ErrorOptions) {
    super(`The provider refused: ${reason}`, options);
    this.reason = reason;
  }
}
