const permission = (scope: string, entity: string, name: string, description: string, attributeList: string[]) => ({
  scope,
  required: true,
  consented: true,
  entity,
  information: { name, description, attributeList },
  purpose: { title: name, description },
});

/** The permissions asked for: no names, addresses or contact details. */
export const permissions = [
  permission('account.basic', 'account', 'Account name, type and balance', 'Used to list your accounts.', [
    'Name of account',
    'Type of account',
    'Account balance',
  ]),
  permission('account.detail', 'account', 'Account balance and details', 'Used to set up the direct debit.', [
    'Account number',
    'Interest rates',
    'Fees',
  ]),
  permission('transaction.detail', 'transaction', 'Transaction details', 'Used to work out your spare change.', [
    'Incoming and outgoing transactions',
    'Amounts',
    'Dates',
    'Descriptions of transactions',
  ]),
];
