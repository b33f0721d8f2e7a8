import { array, assert, constantFrom, nat, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { createRedactor, redactionMark as mark } from "./redact.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (parts: readonly Uint8Array[]): string => Buffer.concat(parts).toString("utf8");

/** The same bytes, cut at these places. */
function inPieces(secrets: readonly string[], input: string, cuts: readonly number[]): string {
  const stream = createRedactor(secrets).stream();
  const data = bytes(input);
  const borders = [0, ...cuts.map((cut) => cut % (data.length + 1)), data.length].toSorted(
    (a, b) => a - b,
  );
  const out = borders.slice(1).map((to, i) => stream.push(data.subarray(borders[i], to)));
  return text([...out, stream.end()]);
}

const key = "sk-ant-Zq9/+x4=Lm_Pw7";

describe("S6.6 a secret is taken out by its value", () => {
  test("wherever it stands in a text, and as often as it does", () => {
    expect(createRedactor([key]).text(`${key} and ${key}${key}.`)).toBe(
      `${mark} and ${mark}${mark}.`,
    );
  });

  test("in Korean and with what would be a pattern in a regular expression", () => {
    const redactor = createRedactor(["비밀번호는(이것)", "a.*b|[c]"]);
    expect(redactor.text("‘비밀번호는(이것)’ aXXb a.*b|[c]")).toBe(`‘${mark}’ aXXb ${mark}`);
  });

  test.each([
    ["in a URL", encodeURIComponent(key)],
    ["in a URL, small hex digits", encodeURIComponent(key).replace(/%../g, (c) => c.toLowerCase())],
    ["in JSON with escaped slashes", JSON.stringify(key).replaceAll("/", "\\/")],
    ["in base64", btoa(key)],
    ["in base64 for URLs", btoa(key).replaceAll("+", "-").replaceAll("/", "_")],
    ["in a header, after a user's name", `Basic ${btoa(`user:${key}`)}`],
    ["in a header, after another name", `Basic ${btoa(`me:${key}:more`)}`],
    ["in a header, with a third remainder", `Basic ${btoa(`u:${key}!`)}`],
  ])("%s", (_, form) => {
    const redacted = createRedactor([key]).text(`<${form}>`);
    expect(redacted).toContain(mark);
    // At most a letter or two at each end, which its neighbours' bits are mixed into.
    expect(redacted.replace(mark, "").length).toBeLessThan(form.length - btoa(key).length + 26);
    expect(createRedactor([key]).finds(bytes(form))).toBe(true);
  });

  test("in JSON, with quotes, line ends and Korean", () => {
    const secret = 'a"b\\c\n비밀값';
    const redactor = createRedactor([secret]);
    const json = JSON.stringify({ secret });
    expect(redactor.text(json)).toBe(`{"secret":"${mark}"}`);
    expect(redactor.text(JSON.stringify(json))).toBe(String.raw`"{\"secret\":\"${mark}\"}"`);
  });

  test("in a form, where + stands for a blank", () => {
    const form = new URLSearchParams({ secret: "pass word!~*" }).toString();
    expect(createRedactor(["pass word!~*"]).text(form)).not.toMatch(/pass|word/);
  });

  test("line by line, if it has many", () => {
    const body = "MIIEvQIBADANBgkqhkiG9w0BAQ";
    const pem = `-----BEGIN PRIVATE KEY-----\n${body}\nShort\n-----END PRIVATE KEY-----\n`;
    expect(createRedactor([pem]).text(`  key: |\n    ${body}\n`)).toBe(`  key: |\n    ${mark}\n`);
    expect(createRedactor([pem]).text("-----BEGIN PRIVATE KEY-----")).not.toContain(mark);
  });

  test("of two secrets that overlap or hold each other, nothing stays", () => {
    expect(createRedactor(["abcdef", "defghi"]).text("-abcdefghi-")).toBe(`-${mark}-`);
    expect(createRedactor(["secret1", "my-secret1-long"]).text("my-secret1-long")).toBe(mark);
    expect(createRedactor(["secret1", "my-secret1-long"]).text("my-secret1-lost")).toBe(
      `my-${mark}-lost`,
    );
    expect(createRedactor(["aaaaaa"]).text(`b${"a".repeat(100)}b`)).toBe(`b${mark}b`);
  });

  test("one of fewer than six characters is left alone: it would blank half of every log", () => {
    expect(createRedactor(["12345"]).text("12345")).toBe("12345");
    expect(createRedactor(["12345"]).active).toBe(false);
    expect(createRedactor(["123456"]).text("123456")).toBe(mark);
    expect(createRedactor(["비밀번호입니"]).text("비밀번호입니다")).toBe(`${mark}다`);
  });

  test("a text without a secret comes back as it is, lone surrogates too", () => {
    const odd = "\ud800 \u{1f600} \ufeff";
    expect(createRedactor([key]).text(odd)).toBe(odd);
    expect(createRedactor([]).text(odd)).toBe(odd);
    expect(createRedactor([key]).text(`\ufeff${key}`)).toBe(`\ufeff${mark}`);
  });
});

describe("S6.6 a stream", () => {
  test("hides a secret across any border of its pieces", () => {
    const input = `start ${key} middle ${btoa(key)} end`;
    const whole = createRedactor([key]).text(input);
    for (let cut = 0; cut <= input.length; cut++) expect(inPieces([key], input, [cut])).toBe(whole);
    expect(
      inPieces(
        [key],
        input,
        Array.from(input, (_, place) => place),
      ),
    ).toBe(whole);
  });

  test("holds back only what could begin a secret: a line is shown as soon as it is there", () => {
    const stream = createRedactor([key]).stream();
    expect(text([stream.push(bytes("a line\n"))])).toBe("a line\n");
    expect(text([stream.push(bytes("a line that ends in sk-a"))])).toBe("a line that ends in ");
    expect(text([stream.push(bytes("sk\n"))])).toBe("sk-ask\n");
    expect(stream.found).toBe(false);
  });

  test("gives the same as the whole text, however it is cut (property)", () => {
    // Few letters, so that secrets overlap, hold and follow each other all the time.
    const letters = string({
      unit: constantFrom("a", "b", "가"),
      minLength: 6,
      maxLength: 12,
    });
    const input = string({ unit: constantFrom("a", "b", "가", "-"), maxLength: 120 });
    assert(
      property(
        array(letters, { minLength: 1, maxLength: 4 }),
        input,
        array(nat()),
        (secrets, data, cuts) => {
          const whole = createRedactor(secrets).text(data);
          expect(inPieces(secrets, data, cuts)).toBe(whole);
          for (const secret of secrets) expect(whole).not.toContain(secret);
          const clean = !secrets.some((secret) => data.includes(secret));
          expect(whole === data).toBe(clean);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("keeps little however the output is made to look like a secret", () => {
    const secret = "a".repeat(1_500) + "b" + "a".repeat(1_500);
    const stream = createRedactor([secret]).stream();
    const flood = bytes("a".repeat(1 << 20));
    let out = 0;
    for (let i = 0; i < 20; i++) out += stream.push(flood).length;
    expect(20 * flood.length - out).toBeLessThan(secret.length);
  });
});

test("S6.6 where secrets lie is told exactly, and those that touch are one", () => {
  const redactor = createRedactor(["abcdefgh", "ghabcdefgh!"]);
  const given = new TextEncoder().encode("x abcdefgh y abcdefghabcdefgh!");
  expect(redactor.ranges(given)).toEqual([
    { from: 2, to: 10 },
    { from: 13, to: 30 },
  ]);
  expect(createRedactor([]).ranges(given)).toEqual([]);
});
