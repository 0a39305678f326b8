#!/usr/bin/env bash
# An entry of camt.053 with RvslInd "true" undoes an earlier one; a library that has a field for it is expected to fill it.
# Guess before running: the field is right and the sign may be wrong (a reversal of a debit is a credit already).
# iso20022.js 0.0.15 (npm) gives reversal: false for true and for 1, the two ways in which XML Schema writes it; the sign is right.
# Source: this run; ISO 20022 message definition camt.053.001.02 (ReversalIndicator).
# Hurt: who books a debit that the bank gave back as a gift, or counts a cancelled payment twice.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund iso20022.js@0.0.15
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { CashManagementEndOfDayReport } from 'iso20022.js';
console.log('iso20022.js', JSON.parse(readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version);
const entry = (sign, reversal) => `<Ntry><Amt Ccy="AUD">3.00</Amt><CdtDbtInd>${sign}</CdtDbtInd>${reversal}<Sts>BOOK</Sts>
  <BookgDt><Dt>2026-07-01</Dt></BookgDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd></Ntry>`;
const balance = (code) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-07-01</Dt></Dt></Bal>`;
const shown = [['DBIT', ''], ['CRDT', '<RvslInd>true</RvslInd>'], ['CRDT', '<RvslInd>1</RvslInd>']];
const file = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-07-01T20:00:00+10:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb>
  <CreDtTm>2026-07-01T20:00:00+10:00</CreDtTm><Acct><Id><Othr><Id>06200012345678</Id></Othr></Id><Ccy>AUD</Ccy><Svcr><FinInstnId><BIC>CTBAAU2S</BIC></FinInstnId></Svcr></Acct>
  ${balance('OPBD')}${balance('CLBD')}${shown.map((each) => entry(...each)).join('')}</Stmt></BkToCstmrStmt></Document>`;
const [{ entries }] = CashManagementEndOfDayReport.fromXML(file).statements;
for (const [at, [sign, reversal]] of shown.entries())
  console.log(`${sign} ${reversal || 'no indicator'} -> ${entries[at].creditDebitIndicator}, reversal ${entries[at].reversal}`);
process.exit(entries.every(({ reversal }) => reversal === false) && entries[1].creditDebitIndicator === 'credit' ? 0 : 1);
JS
node read.mjs || { echo 'behaviour has changed'; exit 1; }
