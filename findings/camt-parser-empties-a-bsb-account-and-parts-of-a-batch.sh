#!/usr/bin/env bash
# An Australian account stands under Othr, as it has no IBAN, and the parts of a batch carry their sums in Amt (camt.053.001.08).
# Guess before running: the number is undefined, and of a batch only the first part is there.
# camt-parser 1.1.0 (npm) gives both parts, each with the sum '' in the currency '', and the account '' as if the file named none.
# Source: this run; ISO 20022 message definition camt.053.001.08 (Acct/Id/Othr, NtryDtls/TxDtls/Amt).
# Hurt: who tells accounts apart by it (all Australian ones are one), and who matches the payments of a batch by their amounts.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund camt-parser@1.1.0
cat >read.js <<'JS'
const { parseCamt053 } = require('camt-parser');
console.log('camt-parser', require('camt-parser/package.json').version);
const part = (id, sum) => `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="AUD">${sum}</Amt><CdtDbtInd>CRDT</CdtDbtInd></TxDtls>`;
const entry = `<Ntry><Amt Ccy="AUD">20.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-23</Dt></BookgDt>
  <BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd><NtryDtls><Btch><NbOfTxs>2</NbOfTxs></Btch>${part('A1', '12.00')}${part('A2', '8.00')}</NtryDtls></Ntry>`;
const file = `<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-24T06:00:00</CreDtTm></GrpHdr>
  <Stmt><Id>S1</Id><Acct><Id><Othr><Id>062000123456789</Id></Othr></Id><Ccy>AUD</Ccy></Acct>
  <Bal><Tp><CdOrPrtry><Cd>OPBD</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">0.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-23</Dt></Dt></Bal>
  ${entry}</Stmt></BkToCstmrStmt></Document>`;
parseCamt053(file).then(({ statements: [{ account, transactions: [{ amount, details }] }] }) => {
  const parts = details.map(({ references, amountDetails }) => `${references.endToEndId} "${amountDetails.transactionAmount.value}"`);
  console.log(`account "${account.iban}", entry ${amount.value}, parts ${parts.join(', ')}`);
  process.exit(account.iban === '' && !JSON.stringify(account).includes('123456789') && parts.join() === 'A1 "",A2 ""' ? 0 : 1);
});
JS
node read.js || { echo 'behaviour has changed'; exit 1; }
