import { zodResolver } from '@hookform/resolvers/zod';
import { RegistrationForm } from '@sparechange/contract';

/** Checks the registration form by the contract's schema, messages included. */
export const checkRegistration = zodResolver(RegistrationForm);
