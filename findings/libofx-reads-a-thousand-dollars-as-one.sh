#!/usr/bin/env bash
# One expects "1,012.50" or "$12.50" in an OFX amount to be read as it is meant, or to be an error.
# Guess before running: the comma is taken for the decimal point, so 1.012; a currency sign ends the run.
# libofx 0.10.9 (Debian 12), which GnuCash, KMyMoney, HomeBank and Skrooge use: 1.01, 0.00 and, for "12.50CR", 12.50; exit 0.
# ofxparse 0.21 reads the first as 1012.50 and refuses the other two.
# Source: this run. Hurt: customers of banks that write them, whose sums differ in silence.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT; chmod 755 "$dir"; cd "$dir"
apt-get download -qq ofx=1:0.10.9-1 libofx7=1:0.10.9-1 libosp5 >/dev/null 2>&1
for package in *.deb; do dpkg -x "$package" .; done
export LD_LIBRARY_PATH="$dir/usr/lib/x86_64-linux-gnu"
dtds=$(dirname "$(find "$dir/usr/share" -name ofx201.dtd -o -name ofx160.dtd | head -1)")
statement() {
  cat <<OFX
<?xml version="1.0" encoding="UTF-8"?>
<?OFX OFXHEADER="200" VERSION="211" SECURITY="NONE" OLDFILEUID="NONE" NEWFILEUID="NONE"?>
<OFX><SIGNONMSGSRSV1><SONRS><STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><DTSERVER>20261124</DTSERVER>
<LANGUAGE>ENG</LANGUAGE></SONRS></SIGNONMSGSRSV1><BANKMSGSRSV1><STMTTRNRS><TRNUID>1</TRNUID>
<STATUS><CODE>0</CODE><SEVERITY>INFO</SEVERITY></STATUS><STMTRS><CURDEF>AUD</CURDEF>
<BANKACCTFROM><BANKID>062000</BANKID><ACCTID>12345678</ACCTID><ACCTTYPE>CHECKING</ACCTTYPE></BANKACCTFROM>
<BANKTRANLIST><DTSTART>20261124</DTSTART><DTEND>20261124</DTEND><STMTTRN><TRNTYPE>CREDIT</TRNTYPE>
<DTPOSTED>20261124</DTPOSTED><TRNAMT>$1</TRNAMT><FITID>a1</FITID><NAME>DEPOSIT</NAME></STMTTRN></BANKTRANLIST>
<LEDGERBAL><BALAMT>0.00</BALAMT><DTASOF>20261124</DTASOF></LEDGERBAL></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>
OFX
}
seen=''
for amount in 1012.50 1,012.50 '$12.50' 12.50CR; do
  statement "$amount" >"$dir/one.ofx"
  read=$(OFX_DTD_PATH="$dtds" "$dir/usr/bin/ofxdump" "$dir/one.ofx" 2>/dev/null | sed -n 's/ *Total money amount: //p')
  seen+="$amount is $read; "
done
echo "libofx 0.10.9: $seen"
[ "$seen" = '1012.50 is 1012.50; 1,012.50 is 1.01; $12.50 is 0.00; 12.50CR is 12.50; ' ] || { echo 'behaviour has changed'; exit 1; }
