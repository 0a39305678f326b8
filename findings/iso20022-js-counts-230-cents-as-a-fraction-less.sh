#!/usr/bin/env bash
# A library that gives amounts of camt.053 in cents is expected to give 230 for "2.30".
# Guess before running: whole cents, as it counts in the smallest unit; its parts of a batch were what looked doubtful.
# iso20022.js 0.0.15 (npm) multiplies a binary fraction by 100: 2.30 is 229.99999999999997 cents, 0.55 is 55.00000000000001.
# Source: this run; ISO 20022 message definition camt.053.001.02 (ActiveOrHistoricCurrencyAndAmount is a decimal).
# Hurt: who compares such an amount with a whole number of cents (no match), or cuts it off (a cent less).
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund iso20022.js@0.0.15
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { CashManagementEndOfDayReport } from 'iso20022.js';
console.log('iso20022.js', JSON.parse(readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version);
const money = (sum) => `<Amt Ccy="AUD">${sum}</Amt><CdtDbtInd>CRDT</CdtDbtInd>`;
const balance = (code, sum) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${money(sum)}<Dt><Dt>2026-07-01</Dt></Dt></Bal>`;
const entry = (sum) => `<Ntry>${money(sum)}<Sts>BOOK</Sts><BookgDt><Dt>2026-07-01</Dt></BookgDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd></Ntry>`;
const sums = ['2.30', '8.00', '0.55', '1.15'];
const file = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-07-01T20:00:00+10:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb>
  <CreDtTm>2026-07-01T20:00:00+10:00</CreDtTm><Acct><Id><Othr><Id>06200012345678</Id></Othr></Id><Ccy>AUD</Ccy><Svcr><FinInstnId><BIC>CTBAAU2S</BIC></FinInstnId></Svcr></Acct>
  ${balance('OPBD', '100.00')}${balance('CLBD', '112.00')}${sums.map(entry).join('')}</Stmt></BkToCstmrStmt></Document>`;
const [{ entries }] = CashManagementEndOfDayReport.fromXML(file).statements;
for (const [at, sum] of sums.entries()) console.log(`${sum} -> ${entries[at].amount}`);
process.exit(entries[0].amount === 2.3 * 100 && !Number.isInteger(entries[0].amount) && entries[1].amount === 800 ? 0 : 1);
JS
node read.mjs || { echo 'behaviour has changed'; exit 1; }
