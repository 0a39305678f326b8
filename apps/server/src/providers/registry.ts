import type { z } from 'zod';
import type { BankFiles } from '#ports/bank-files.ts';
import type { BankLink } from '#ports/bank-link.ts';
import type { DirectDebit } from '#ports/direct-debit.ts';
import type { Notifiers } from '#ports/notifier.ts';
import type { ProviderSettings, Surroundings } from '#ports/provider-settings.ts';
import { basiqBankLink } from './basiq/index.ts';
import { basiqNotifier } from './basiq/notifier.ts';
import { basiqSettings, readBasiqSettings } from './basiq/settings.ts';
import { type DirectEntryOptions, directEntry } from './direct-entry/index.ts';
import { directEntryVariables, readDirectEntrySettings } from './direct-entry/variables.ts';
import type { SendOptions } from './outgoing/send.ts';
import { zeptoDirectDebit } from './zepto/index.ts';
import { zeptoNotifier } from './zepto/notifier.ts';
import { readZeptoSettings, zeptoSettings } from './zepto/settings.ts';

/** Values of PAYMENTS, the default first. */
export const paymentProviders = ['zepto', 'direct-entry'] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

export const bankLinkSettings: ProviderSettings = basiqSettings;
export const paymentSettings: Record<PaymentProvider, ProviderSettings> = {
  zepto: zeptoSettings,
  'direct-entry': directEntryVariables,
};

export const providerSettings = [bankLinkSettings, ...Object.values(paymentSettings)];

export const providerVariables = {
  ...basiqSettings.variables,
  ...zeptoSettings.variables,
  ...directEntryVariables.variables,
};

/** Returns the settings of every provider with what a development start makes up. */
export const readProviderSettings = (
  env: z.output<z.ZodObject<typeof providerVariables>>,
  surroundings: Surroundings,
) => ({
  basiq: readBasiqSettings(env, surroundings),
  zepto: readZeptoSettings(env, surroundings),
  directEntry: readDirectEntrySettings(env, surroundings),
});

type Settings = ReturnType<typeof readProviderSettings>;

/** By their names in webhook addresses, `/webhooks/<name>`, and in stored notifications. */
export const notifiers: Notifiers = { basiq: basiqNotifier, zepto: zeptoNotifier };

/** Returns what each client of an outside service is given. */
export type Outgoing = (service: string, callsPerSecond: number | undefined) => Partial<SendOptions>;

export interface ConnectedBankLink {
  bankLink: BankLink;
  /** For `ops status`, and for its health. */
  bankLinkAddress: string;
}

export const connectBankLink = ({ basiq }: Settings, outgoing: Outgoing): ConnectedBankLink => ({
  bankLink: basiqBankLink({ ...basiq, ...outgoing('basiq', basiq.callsPerSecond) }),
  bankLinkAddress: basiq.apiUrl,
});

export interface ConnectedPayments {
  directDebit: DirectDebit;
  /** Where payments go, for `ops status`. */
  directDebitAddress: string;
  /** The address or folder without which no payment is made. */
  needs: { address: string } | { folder: string };
  /** Operator's commands for bank files; absent with other providers. */
  bankFiles?: BankFiles;
}

export interface PaymentParts extends Omit<DirectEntryOptions, 'settings'> {
  outgoing: Outgoing;
}

export const connectPayments: Record<PaymentProvider, (settings: Settings, parts: PaymentParts) => ConnectedPayments> =
  {
    zepto: ({ zepto }, { outgoing }) => ({
      directDebit: zeptoDirectDebit({ ...zepto, ...outgoing('zepto', zepto.callsPerSecond) }),
      directDebitAddress: zepto.apiUrl,
      needs: { address: zepto.apiUrl },
    }),
    'direct-entry': ({ directEntry: settings }, { outgoing, ...parts }) => {
      const { files, ...directDebit } = directEntry({ settings, ...parts });
      return {
        directDebit,
        directDebitAddress: `bank files in ${settings.folder}`,
        needs: { folder: settings.folder },
        bankFiles: files,
      };
    },
  };
