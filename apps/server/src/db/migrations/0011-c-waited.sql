-- A debit that was planned and not asked for, because there was too little in the account (docs/decisions/0023).
alter type debit_state add value 'waited';
