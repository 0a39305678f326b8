import * as contract from '@sparechange/contract';
import type { OffboardingStep } from '@sparechange/domain/offboarding';
import { call } from '#api/call.ts';
import { saveFile } from '#api/save-file.ts';

interface StepWords {
  title: string;
  about: string;
  button: string;
  /** Replaces the button where there is nothing to do. */
  already: string;
  done: string;
}

export const stepWords: Record<OffboardingStep, StepWords> = {
  pause: {
    title: 'Pause round-ups',
    about: 'Take a break. Everything stays as it is.',
    button: 'Pause',
    already: 'Paused',
    done: 'Your round-ups are paused. We confirm it by mail.',
  },
  stop: {
    title: 'Stop debits',
    about: 'Cancel your authority to debit.',
    button: 'Stop',
    already: 'No authority',
    done: 'Your debits have stopped. We confirm it by mail.',
  },
  withdraw: {
    title: 'Withdraw consent',
    about: 'End your bank connection.',
    button: 'Withdraw',
    already: 'Not connected',
    done: 'Your consent is withdrawn. We confirm it by mail.',
  },
  delete: {
    title: 'Delete bank data',
    about: 'Delete your accounts and purchases.',
    button: 'Delete',
    already: 'None kept',
    done: 'What can be is deleted. We confirm it by mail.',
  },
  download: {
    title: 'Download everything',
    about: 'A copy of all we hold about you.',
    button: 'Download',
    already: '',
    done: 'Your download has started. We confirm it by mail.',
  },
  close: {
    title: 'Close account',
    about: 'Leave for good.',
    button: 'Close',
    already: '',
    done: '',
  },
};

/** The call of each step but closing. */
export const takeStep: Record<Exclude<OffboardingStep, 'close'>, (cdrid: string) => Promise<unknown>> = {
  pause: (cdrid) => call(contract.setPaused, { cdrid, isUserPausedRoundUp: true }),
  stop: (cdrid) => call(contract.stopDebits, { cdrid }),
  withdraw: (cdrid) => call(contract.withdrawConsent, { cdrid }),
  delete: (cdrid) => call(contract.deleteBankData, { cdrid }),
  download: async (cdrid) => {
    const { fileName, zip } = await call(contract.downloadEverything, { cdrid });
    const bytes = Uint8Array.from(atob(zip), (letter) => letter.charCodeAt(0));
    saveFile([bytes], { name: fileName, type: 'application/zip' });
  },
};
