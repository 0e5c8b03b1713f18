/**
 * The steps and the verdicts of tools/verify_bundle.ts, for a test to compare: a JSON request a line on standard
 * input, `[step, ...arguments]` with bytes as base64, a JSON answer a line on standard output; null where refused.
 */

import { createInterface } from "node:readline";

import * as tool from "../../tools/verify_bundle.ts";

const bytes = (text: string): Buffer => Buffer.from(text, "base64");
const hex = (text: string): Buffer => Buffer.from(text, "hex");

function drawn(match_key: string, match: string, entropy: (string | null)[], label: string) {
  return tool.words(tool.subkey(hex(match_key), "draw"), match, entropy, label);
}

// Lines of the bundle to be changed next: a mutant is told by what differs.
let base: Buffer[] = [];

const STEPS: { [step: string]: (...given: any[]) => unknown } = {
  canonical: (line: string) => Buffer.from(tool.canonical(tool.parsed(bytes(line)).a), "utf8").toString("hex"),
  digest: (line: string) => tool.digest(tool.parsed(bytes(line)).a),
  subkey: (key: string, purpose: string) => tool.subkey(hex(key), purpose).toString("hex"),
  commitment: tool.commitmentOf,
  nonce: (key: string, match: string, version: number, perspective: string) =>
    tool.nonceOf(hex(key), match, version, perspective),
  seal: tool.sealOf,
  hash: tool.hashOf,
  signed: tool.isSigned,
  words: (count: number, ...of: Parameters<typeof drawn>) => {
    const stream = drawn(...of);
    return Array.from({ length: count }, () => stream.next().value);
  },
  numbers: (count: number, below: number, ...of: Parameters<typeof drawn>) => {
    const stream = drawn(...of);
    return Array.from({ length: count }, () => tool.numberBelow(stream, below));
  },
  shuffled: (cards: string[], ...of: Parameters<typeof drawn>) => tool.shuffled(drawn(...of), cards),
  verify: (raw: string, keys: [string, string | null][] | null) =>
    tool.verify(bytes(raw), keys === null ? null : new Map(keys)),
  base: (raw: string) => {
    base = bytes(raw).toString("latin1").split(/(?<=\n)/).map((line) => Buffer.from(line, "latin1"));
    return base.length;
  },
  // The base with the lines `from` to `to` (counted from 0, `to` apart) replaced.
  spliced: (from: number, to: number, lines: string) => {
    const report = tool.verify(Buffer.concat([...base.slice(0, from), bytes(lines), ...base.slice(to)]));
    return report.ok ? 0 : report.line;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const [step, ...given] = JSON.parse(line);
  let answer: unknown = null;
  try {
    answer = STEPS[step](...given);
  } catch (error) {
    if (!(error instanceof tool.Wrong)) throw error;
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
