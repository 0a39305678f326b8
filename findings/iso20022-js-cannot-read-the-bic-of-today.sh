#!/usr/bin/env bash
# camt.053 calls a bank's identifier BICFI since version 3 (2012); CBPR+ has version 8. A reader is expected to know it.
# Guess before running: it reads versions 2 and 8 alike, as it looks at no name space.
# iso20022.js 0.0.15 (npm) knows BIC, the name of version 2, and fails on BICFI with "Cannot read properties of undefined".
# Source: this run; ISO 20022 message definitions camt.053.001.02 and .08 (FinancialInstitutionIdentification).
# Hurt: who takes statements of today's version: each that names its bank the usual way is refused without saying why.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund iso20022.js@0.0.15
cat >read.mjs <<'JS'
import { readFileSync } from 'node:fs';
import { CashManagementEndOfDayReport } from 'iso20022.js';
console.log('iso20022.js', JSON.parse(readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version);
const balance = (code) => `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="AUD">9.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-07-01</Dt></Dt></Bal>`;
const file = (version, name, status) => `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt>
  <GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-07-01T20:00:00+10:00</CreDtTm></GrpHdr><Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb>
  <CreDtTm>2026-07-01T20:00:00+10:00</CreDtTm><Acct><Id><Othr><Id>06200012345678</Id></Othr></Id><Ccy>AUD</Ccy>
  <Svcr><FinInstnId><${name}>CTBAAU2S</${name}></FinInstnId></Svcr></Acct>${balance('OPBD')}${balance('CLBD')}
  <Ntry><Amt Ccy="AUD">3.00</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>${status}</Sts><BookgDt><Dt>2026-07-01</Dt></BookgDt><BkTxCd><Prtry><Cd>NTRF</Cd></Prtry></BkTxCd></Ntry></Stmt></BkToCstmrStmt></Document>`;
const read = (...parts) => {
  try { return `${CashManagementEndOfDayReport.fromXML(file(...parts)).statements[0].entries.length} entry`; } catch ({ message }) { return message; }
};
const [former, present] = [read('02', 'BIC', 'BOOK'), read('08', 'BICFI', '<Cd>BOOK</Cd>')];
console.log(`version 2 with BIC: ${former}\nversion 8 with BICFI: ${present}`);
process.exit(former === '1 entry' && present.startsWith('Cannot read properties of undefined') ? 0 : 1);
JS
node read.mjs || { echo 'behaviour has changed'; exit 1; }
