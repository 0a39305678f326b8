#!/usr/bin/env bash
# Line breaks mean nothing in OFX 1 (SGML): banks write a transaction on one line, or the whole file.
# Guess before running: both layouts read alike; the time zone of DTPOSTED looked doubtful (it is dropped, the day is right).
# ofx-data-extractor 1.5.0 (npm) reads a tag a line, and refuses the same tags on one line with an error about JSON.
# Source: this run; OFX 1.0.2 (SGML: an element ends where the next one begins).
# Hurt: a treasurer whose bank writes one line a transaction; the message speaks of JSON that nobody wrote.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; cd "$dir"
npm init -y >/dev/null; npm install --silent --no-audit --no-fund ofx-data-extractor@1.5.0 ofx-js@1.1.1
cat >read.js <<'JS'
const { Ofx } = require('ofx-data-extractor');
const { parse } = require('ofx-js');
for (const name of ['ofx-data-extractor', 'ofx-js']) console.log(name, require(`./node_modules/${name}/package.json`).version);
const heading = ['OFXHEADER:100', 'DATA:OFXSGML', 'VERSION:102', 'SECURITY:NONE', 'ENCODING:USASCII', 'CHARSET:1252', 'COMPRESSION:NONE', 'OLDFILEUID:NONE', 'NEWFILEUID:NONE', '', ''].join('\n');
const tags = `<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0<SEVERITY>INFO</STATUS><DTSERVER>20260702<LANGUAGE>ENG</SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STATUS><CODE>0<SEVERITY>INFO</STATUS><STMTRS><CURDEF>AUD<BANKACCTFROM><BANKID>062000<ACCTID>12345678<ACCTTYPE>SAVINGS</BANKACCTFROM><BANKTRANLIST><DTSTART>20260701<DTEND>20260702<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20260701<TRNAMT>12.50<FITID>A1<NAME>ROUND UPS</STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>100.00<DTASOF>20260702</LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>`;
const layouts = { 'a line a tag': tags.replaceAll('<', '\n<').trim(), 'one line': tags };
(async () => {
  const seen = [];
  for (const [name, body] of Object.entries(layouts)) {
    let said;
    try { said = new Ofx(heading + body).getBankTransferList().map(({ TRNAMT }) => TRNAMT).join(); } catch ({ message }) { said = message; }
    const { STMTTRN } = (await parse(heading + body)).OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST;
    console.log(`${name}: ofx-data-extractor ${said}; ofx-js ${STMTTRN.TRNAMT}`);
    seen.push(said, STMTTRN.TRNAMT);
  }
  process.exit(seen[0] === '12.50' && seen[2].includes('JSON') && seen[1] === '12.50' && seen[3] === '12.50' ? 0 : 1);
})();
JS
node read.js || { echo 'behaviour has changed'; exit 1; }
