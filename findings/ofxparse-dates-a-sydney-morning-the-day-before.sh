#!/usr/bin/env bash
# A line posted at "20261124093000[11:AEDT]" is of 24 November, on the bank's paper and in each reader.
# Guess before running: the time keeps its day; the zone is read or left out.
# ofxparse 0.21 (Debian 12): 2026-11-23 22:30 without a zone, so all lines before 11 am move to the day before,
# those of the first of a month into the month before. A bare "20261124" keeps its day: exports with times differ from those without.
# Source: this run. Hurt: bookkeepers in the east of Australia, most of all at a month's end.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq python3-ofxparse=0.21-2 python3-bs4 python3-six python3-soupsieve python3-lxml >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
cat >read.py <<'PY'
import io, sys, warnings
warnings.filterwarnings('ignore')
from ofxparse import OfxParser
FORM = '''OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX><BANKMSGSRSV1><STMTTRNRS><TRNUID>1<STMTRS><CURDEF>AUD<BANKACCTFROM><BANKID>062000<ACCTID>12345678<ACCTTYPE>CHECKING</BANKACCTFROM>
<BANKTRANLIST><DTSTART>20261124<DTEND>20261124<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>%s<TRNAMT>12.50<FITID>a1<NAME>DEPOSIT</STMTTRN></BANKTRANLIST>
</STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>'''
for posted in ('20261124', '20261124093000[11:AEDT]', '20261201103000[11:AEDT]'):
    line = OfxParser.parse(io.BytesIO((FORM % posted).encode())).account.statement.transactions[0]
    print(posted, 'is', line.date.isoformat(' ', 'minutes'))
PY
seen=$(PYTHONPATH="$dir/usr/lib/python3/dist-packages" /usr/bin/python3 read.py)
echo "ofxparse 0.21:"; echo "$seen"
[ "$seen" = $'20261124 is 2026-11-24 00:00\n20261124093000[11:AEDT] is 2026-11-23 22:30\n20261201103000[11:AEDT] is 2026-11-30 23:30' ] || {
  echo 'behaviour has changed'
  exit 1
}
