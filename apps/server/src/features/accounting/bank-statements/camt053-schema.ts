import { z } from 'zod';

/** Treats an empty element as absent. */
const unlessEmpty = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional());

/** An element that may be absent or repeated. */
const several = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess((value) => [value].flat().filter((each) => each !== undefined && each !== ''), z.array(schema));

/** Text, with or without attributes such as its language. */
const Words = z.union([
  z.string(),
  z.looseObject({ '#text': z.string().optional() }).transform((element) => element['#text'] ?? ''),
]);
const Text = Words.optional();

const Amount = z.object({ '#text': z.string(), '@Ccy': z.string() });
/** Maximum length in the standard. */
const AccountNumber = z.string().max(34);
const When = unlessEmpty(z.object({ Dt: Text, DtTm: Text }));
const Direction = z.enum(['CRDT', 'DBIT']);

const Referred = unlessEmpty(z.looseObject({ Ref: Text }));
const Party = unlessEmpty(z.looseObject({ Nm: Text, Pty: unlessEmpty(z.looseObject({ Nm: Text })) }));
const Structured = z.looseObject({
  CdtrRefInf: Referred,
  RfrdDocInf: several(z.looseObject({ Nb: Text })),
  AddtlRmtInf: several(Words),
});
const Details = z.object({
  Refs: unlessEmpty(
    z.looseObject({
      EndToEndId: Text,
      TxId: Text,
      InstrId: Text,
      PmtInfId: Text,
      MsgId: Text,
      ClrSysRef: Text,
      Prtry: several(z.looseObject({ Ref: Text })),
    }),
  ),
  RmtInf: unlessEmpty(z.looseObject({ Ustrd: several(Words), Strd: several(Structured) })),
  RltdPties: unlessEmpty(z.looseObject({ Dbtr: Party, Cdtr: Party, UltmtDbtr: Party, UltmtCdtr: Party })),
  AddtlTxInf: Text,
});
export type Details = z.infer<typeof Details>;

export const Entry = z.object({
  Amt: Amount,
  CdtDbtInd: Direction,
  // In older versions of the message a bare code, in newer ones an element around it.
  Sts: z.union([z.string(), z.object({ Cd: Text, Prtry: Text })]).optional(),
  BookgDt: When,
  ValDt: When,
  AcctSvcrRef: Text,
  NtryDtls: several(
    z.looseObject({ Btch: unlessEmpty(z.looseObject({ PmtInfId: Text, MsgId: Text })), TxDtls: several(Details) }),
  ),
  AddtlNtryInf: Text,
});
export type Entry = z.infer<typeof Entry>;

export const Balance = z.object({
  Tp: z.looseObject({ CdOrPrtry: z.looseObject({ Cd: Text }) }),
  Amt: Amount,
  CdtDbtInd: Direction,
  Dt: When,
});
export type Balance = z.infer<typeof Balance>;

export const Statement = z.object({
  Acct: z.looseObject({
    Id: z.looseObject({ IBAN: AccountNumber.optional(), Othr: unlessEmpty(z.looseObject({ Id: AccountNumber })) }),
    Ccy: Text,
  }),
  Bal: several(Balance),
  Ntry: several(z.unknown()),
});
export type Statement = z.infer<typeof Statement>;
