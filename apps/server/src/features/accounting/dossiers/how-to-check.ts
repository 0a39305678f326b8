/** Returns the page that says how a stranger checks a dossier, with the very commands. */
export const howToCheck = (keysAddress: string): string => `How to check this dossier

You need OpenSSL 3, which Linux has and Homebrew installs on a Mac. Open a terminal in this folder and run:

  openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in dossier.pdf -sigfile dossier.pdf.sig
  openssl pkeyutl -verify -pubin -inkey key.pem -rawin -in dossier.json -sigfile dossier.json.sig

Each says "Signature Verified Successfully". If one byte of a file has changed, it says "Signature Verification Failure".

Then make sure that the key is ours. Our keys are published at

  ${keysAddress}

and the text of key.pem has to be among them. Get them from there yourself, not from the person who gave you this dossier.

dossier.pdf is for people and dossier.json for programs; they say the same. Amounts in dossier.json are in cents, and times in UTC.
`;
