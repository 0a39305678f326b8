#!/usr/bin/env bash
# A direct-entry record holds nine characters of an account. One expects a library to refuse "123456789012", of 12 digits.
# Guess before running: an error.
# aba-generator 2.1.0 (npm) writes 123456789, somebody else's account, and says nothing; a BSB that lost its leading zero, 61021, becomes " 610-21".
# Source: this run; layout in the banks' published descriptions of the Cemtex (ABA) file. Hurt: the payee of such a line, and who sent it.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund aba-generator@2.1.0
cat >pay.js <<'JS'
const ABA = require('aba-generator');
console.log('aba-generator', require('aba-generator/package.json').version);
const aba = new ABA({ header: { bank: 'CBA', user: 'A club', userNumber: 301500, description: 'PAYOUTS', date: '011226' } });
const line = { transactionCode: ABA.CREDIT, amount: 12, accountTitle: 'A payee', reference: 'R7', traceBsb: '061123', traceAccount: '1234567', remitter: 'A club' };
const records = aba.generate([{ ...line, bsb: '061021', account: '123456789012' }, { ...line, bsb: '61021', account: '123456' }]).split('\r\n');
console.log(records[1].slice(0, 30)); console.log(records[2].slice(0, 30));
process.exit(records[1].startsWith('1061-021123456789 ') && records[2].startsWith('1 610-21') ? 0 : 1);
JS
node pay.js || { echo 'behaviour has changed'; exit 1; }
