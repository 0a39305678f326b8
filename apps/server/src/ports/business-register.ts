/** A business of the register, by its ABN. */
export interface Business {
  name: string;
  isActive: boolean;
}

/** Looks up Australian business numbers. Throws ProviderUnavailable when there is no answer. */
export interface BusinessRegister {
  /** Returns undefined for a number that no business has. */
  find(abn: string): Promise<Business | undefined>;
}
