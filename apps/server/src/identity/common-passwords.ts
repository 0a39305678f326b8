/** Passwords that guessers try first, where long enough. */
const commonest = new Set(
  `password password1 password12 password123 passw0rd p@ssw0rd p@ssword 12345678 123456789 1234567890 0123456789 87654321
  987654321 123123123 12341234 11223344 147258369 123654789 789456123 1234qwer 1q2w3e4r 1q2w3e4r5t 1qaz2wsx q1w2e3r4 zaq12wsx
  zaq1zaq1 qwertyui qwertyuiop qwerty12 qwerty123 qwerty1234 asdfghjk asdfghjkl asdf1234 zxcvbnm1 abcd1234 abc12345 abcdefgh
  a1b2c3d4 aa123456 a1234567 iloveyou iloveyou1 sunshine sunshine1 princess princess1 football football1 baseball basketball
  superman batman123 starwars pokemon1 minecraft trustno1 welcome1 welcome123 whatever computer internet letmein1 letmein123
  monkey123 dragon123 master123 shadow123 charlie1 michelle jennifer jessica1 samantha michael1 daniel123 liverpool chelsea1
  arsenal1 australia australia1 melbourne brisbane sydney123 changeme changeme1 administrator admin123 admin1234 secret123
  test1234 testtest hello123 helloworld lovely123 freedom1 mustang1 corvette mercedes swordfish blink182 chocolate butterfly
  sparechange sparechange1`.split(/\s+/),
);

/** Finds a password among the commonest, however it is capitalised; one character over and over is as good as known too. */
export const isCommonPassword = (password: string): boolean =>
  commonest.has(password.toLowerCase()) || /^(.)\1*$/su.test(password);
