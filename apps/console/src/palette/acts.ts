import type { ConsoleOperation } from '@sparechange/contract/console';
import * as contract from '@sparechange/contract/console';

/** An act that the command palette offers; it opens the act's dialog on its page. */
export interface PaletteAct {
  title: string;
  /** The page on which it is done. */
  page: string;
  /** The dialog's name there (`useOpened`). */
  dialog: string;
  needs: ConsoleOperation;
}

/** Acts in the order in which they are listed. */
export const paletteActs: readonly PaletteAct[] = [
  { title: 'Import a bank statement', page: '/reconciliation', dialog: 'import', needs: contract.importStatement },
  { title: 'Reconcile a day again', page: '/reconciliation', dialog: 'again', needs: contract.reconcileAgain },
  { title: 'Suspend a brand', page: '/runs', dialog: 'suspend', needs: contract.suspendTenant },
  { title: 'Add a club', page: '/clubs', dialog: 'add', needs: contract.addClub },
  { title: 'Add a brand', page: '/tenants', dialog: 'add', needs: contract.saveTenant },
  { title: 'Invite a person', page: '/people', dialog: 'invite', needs: contract.invitePerson },
];
