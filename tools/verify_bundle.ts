#!/usr/bin/env node
/**
 * Check the bundle of a match, sharing no code with the service that wrote it.
 *
 *     node verify_bundle.ts [--json] [--key HEX] [--keys FILE] FILE        FILE may be - for standard input
 *
 * The bytes are described in docs/audit.md. Node 22.18 or newer, which runs TypeScript as it is; nothing but its
 * standard library, no connection. Exit code 0: everything holds. 1: the first wrong line and why. 2: wrong usage.
 *
 * As a module it offers `verify(bytes, keys)` and the steps, each by itself.
 */

import { createHash, createHmac, createPublicKey, verify as verifySignature } from "node:crypto";
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const DEEPEST = 64;
const ZEROS = "0".repeat(64);
const FACE_DOWN = "face-down";
const FULL = "full";
const PERSPECTIVE = /^(?:public|full|s[0-6])$/;
const HEX_32 = /^[0-9a-f]{64}$/;
const HEX_64 = /^[0-9a-f]{128}$/;
const ENTROPY = /^(?:[0-9a-f]{2}){1,64}$/;
const SEED = /^[A-Za-z0-9._-]{1,64}$/;
const MOMENT = /^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/;

export type Value = null | boolean | number | string | Value[] | { [name: string]: Value };
export type Json = { [name: string]: Value };
/** Public keys to accept, each with the time it was retired (null: it signs still). */
export type Keys = Map<string, string | null>;

/** What a member must be: the pattern of a whole string, or the name of a kind. */
type Kind = RegExp | "string" | "whole" | "boolean" | "object" | "array" | "null";
type Members = { readonly [name: string]: readonly Kind[] };

const HEADER: Members = {
  format: [/^wonderlog\/bundle\/1$/],
  match: ["string"],
  game: ["string"],
  ruleset: ["string"],
  ruleset_digest: [HEX_32],
  seats: ["whole"],
  perspective: [PERSPECTIVE],
  over: ["boolean"],
  count: ["whole"],
  head: ["object"],
  public_key: [HEX_32, "null"],
};
const HEAD: Members = { version: ["whole"], hash: [HEX_32] };
const HASHED: Members = {
  match: ["string"],
  version: ["whole"],
  type: ["string"],
  schema: ["whole"],
  ruleset: ["string"],
  decision: ["string", "null"],
  actor: [/^(?:seat:[0-6]|tenant|operator|rules)$/],
  cause: [/^(?:player|bot|deadline|host|rules)$/],
  command: ["whole"],
  occurred_at: [MOMENT],
  public: ["object"],
  seals: ["object"],
  prev_hash: [HEX_32],
};
const ENVELOPE: Members = { ...HASHED, data: ["object"], hash: [HEX_32], nonce: [HEX_32], parts: ["object"] };
const MAY_BE_ABSENT: ReadonlySet<string> = new Set(["public", "nonce", "parts"]);
const TRAILER: Members = {
  format: [/^wonderlog\/bundle-trailer\/1$/],
  match: ["string"],
  version: ["whole"],
  hash: [HEX_32],
  header_hash: [HEX_32],
  head_signature: [HEX_64, "null"],
  signature: [HEX_64, "null"],
};
const DRAW = ["label", "count", "input", "output"];

/** What is wrong; `line` is set where it is not the line being checked. */
export class Wrong extends Error {
  readonly line: number;

  constructor(why: string, line = 0) {
    super(why);
    this.line = line;
  }
}

// Values. A member is looked up with `has` and `at`: a name such as "constructor" is nothing special in a file.

function has(object: Json, name: string): boolean {
  return Object.hasOwn(object, name);
}

function at(object: Json, name: string): Value | undefined {
  return has(object, name) ? object[name] : undefined;
}

function isObject(value: Value | undefined): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isKind(value: Value | undefined, kind: Kind): boolean {
  if (kind instanceof RegExp) return typeof value === "string" && kind.test(value);
  if (kind === "null") return value === null;
  if (kind === "whole") return typeof value === "number";
  if (kind === "object") return isObject(value);
  if (kind === "array") return Array.isArray(value);
  return typeof value === kind;
}

/** How many objects and arrays lie inside each other. */
export function depth(value: Value): number {
  if (typeof value !== "object" || value === null) return 0;
  let deepest = 0;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) deepest = Math.max(deepest, depth(inner));
  return 1 + deepest;
}

/** Exactly these members, of these kinds. */
function checkMembers(value: Json, allowed: Members, optional: ReadonlySet<string> = new Set()): void {
  for (const name of Object.keys(allowed)) {
    if (!has(value, name) && !optional.has(name)) throw new Wrong(`the member ${name} is missing`);
  }
  for (const name of Object.keys(value)) {
    const kinds = Object.hasOwn(allowed, name) ? allowed[name] : undefined;
    if (kinds === undefined) throw new Wrong(`the member ${JSON.stringify(name)} does not belong here`);
    if (!kinds.some((kind) => isKind(value[name], kind))) {
      throw new Wrong(`the member ${name} is not of the kind it must be`);
    }
  }
}

// Canonical bytes: RFC 8785 for strings, whole numbers, true, false, null, arrays, objects

/** The RFC 8785 text: exactly what JSON.stringify writes, with the members sorted by UTF-16 code units. */
export function canonical(value: Value): string {
  if (typeof value === "string") {
    if (!value.isWellFormed()) throw new Wrong("a string holds half of a surrogate pair");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new Wrong("a number is not whole, or beyond 2^53 - 1");
    return Object.is(value, -0) ? "0" : String(value);
  }
  if (value === null || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.keys(value).sort(byUnits);
  return `{${members.map((name) => `${canonical(name)}:${canonical(value[name])}`).join(",")}}`;
}

function byUnits(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function byCodePoints(one: string, other: string): number {
  const [mine, theirs] = [Array.from(one), Array.from(other)];
  for (let place = 0; place < Math.min(mine.length, theirs.length); place++) {
    const difference = mine[place].codePointAt(0)! - theirs[place].codePointAt(0)!;
    if (difference !== 0) return difference;
  }
  return mine.length - theirs.length;
}

/** SHA-256 of the canonical bytes, hex. */
export function digest(value: Value): string {
  return createHash("sha256").update(canonical(value), "utf8").digest("hex");
}

/** The object on a line. Throws Wrong unless the line is exactly the canonical bytes of an object. */
export function parsed(raw: Uint8Array): Json {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch {
    throw new Wrong("the line is not UTF-8");
  }
  let value: Value;
  let same: boolean;
  try {
    value = JSON.parse(text);
    if (depth(value) > DEEPEST + 2) throw new Wrong(`the line is nested deeper than ${DEEPEST + 2}`);
    // Numbers with a fraction or an exponent, members that stand twice, white space: none comes back the same.
    same = canonical(value) === text;
  } catch (error) {
    if (error instanceof Wrong) throw error;
    throw new Wrong(error instanceof RangeError ? "the line is nested too deeply" : "the line is not JSON");
  }
  if (!isObject(value)) throw new Wrong("the line is not an object");
  if (!same) throw new Wrong("the line is not in its canonical form");
  return value;
}

/** Every line, read or refused. Each ends with one line feed, the last one too. */
function linesOf(raw: Uint8Array): (Json | Wrong)[] {
  const lines: (Json | Wrong)[] = [];
  let begin = 0;
  while (begin < raw.length) {
    const end = raw.indexOf(10, begin);
    if (end < 0) {
      lines.push(new Wrong("the line is cut short: no line feed at its end"));
      break;
    }
    try {
      lines.push(parsed(raw.subarray(begin, end)));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      lines.push(error);
    }
    begin = end + 1;
  }
  return lines;
}

// Secrets

function mac(key: Uint8Array, message: string | Uint8Array): Buffer {
  return createHmac("sha256", key).update(message).digest();
}

/** HKDF-SHA256 of the match key: no salt, 32 bytes out, info `wonderlog/<purpose>/1`. */
export function subkey(matchKey: Uint8Array, purpose: string): Buffer {
  return mac(mac(new Uint8Array(32), matchKey), `wonderlog/${purpose}/1\u0001`);
}

/** The nonce of a seal, hex. */
export function nonceOf(sealKey: Uint8Array, match: string, version: number, perspective: string): string {
  return mac(sealKey, canonical(["wonderlog/nonce/1", match, version, perspective])).toString("hex");
}

/** The seal of a form, hex. */
export function sealOf(match: string, version: number, perspective: string, nonce: string, form: Value): string {
  return digest(["wonderlog/seal/1", match, version, perspective, nonce, form]);
}

/** The stream of 32-bit words behind a draw. */
export function* words(
  drawKey: Uint8Array,
  match: string,
  entropy: (string | null)[],
  label: string,
): Generator<number, never> {
  for (let block = 0; ; block++) {
    const bytes = mac(drawKey, canonical(["wonderlog/draw/1", match, entropy, label, block]));
    for (let place = 0; place < 32; place += 4) yield bytes.readUInt32BE(place);
  }
}

/** The next number below n; words past the last multiple of n are skipped. */
export function numberBelow(stream: Generator<number, never>, n: number): number {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = stream.next().value;
  while (word >= limit) word = stream.next().value;
  return word % n;
}

/** Fisher-Yates, from the last index down to 1. */
export function shuffled(stream: Generator<number, never>, cards: readonly string[]): string[] {
  const order = [...cards];
  for (let last = order.length - 1; last > 0; last--) {
    const other = numberBelow(stream, last + 1);
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}

// Events, their members already checked

type Event = {
  match: string; version: number; type: string; schema: number; ruleset: string; command: number;
  occurred_at: string; seals: Json; prev_hash: string; hash: string;
  data: Json; public?: Json; nonce?: string; parts?: Json;
};

function checkedEvent(value: Json): Event {
  checkMembers(value, ENVELOPE, MAY_BE_ABSENT);
  return value as unknown as Event;
}

function publicOf(event: Event): Json {
  return event.public ?? event.data;
}

/** The hash of an event, from its 13 hashed members. */
export function hashOf(event: Json): string {
  const header: Json = {};
  for (const name of Object.keys(HASHED)) {
    if (name !== "public") header[name] = event[name];
  }
  header.public = at(event, "public") ?? event.data;
  return digest(["wonderlog/event/1", header]);
}

/** What is known of a match on the way down its events. */
class Log {
  readonly match: string;
  readonly viewer: string;
  readonly over: boolean;
  readonly count: number;
  /** From the last event, and only if it opens the commitment. */
  readonly matchKey: Buffer | null;
  readonly sealKey: Buffer | null;
  version = 0;
  command = 0;
  hash = ZEROS;
  game = "";
  ruleset = "";
  /** The match, or the seed of a sandbox match. */
  drawnFor: string;
  entropy: (string | null)[] = [];
  started = false;
  readonly labels = new Set<string>();
  /** Events a fork took over from another match, with the draws among them. */
  copied = 0;
  opened = 0;
  repeated = 0;
  hidden = 0;

  constructor(header: Json, matchKey: Buffer | null) {
    this.match = header.match as string;
    this.drawnFor = this.match;
    this.viewer = header.perspective as string;
    this.over = header.over as boolean;
    this.count = header.count as number;
    this.matchKey = matchKey;
    this.sealKey = matchKey === null ? null : subkey(matchKey, "seal");
  }
}

function checkEvent(value: Json, log: Log): void {
  const event = checkedEvent(value);
  checkPlace(event, log);
  if (hashOf(value) !== event.hash) throw new Wrong("the event does not give this hash");
  if (event.prev_hash !== log.hash) throw new Wrong("prev_hash is not the hash of the event before");
  log.version = event.version;
  log.command = event.command;
  log.hash = event.hash;
  const branches = event.type === "match.forked";
  if (log.version > log.copied && branches !== (log.copied > 0 && log.version === log.copied + 1)) {
    throw new Wrong("match.forked follows what a fork took over, and nothing else");
  }
  if (log.version <= log.copied && event.type === "match.ended") {
    throw new Wrong("a fork takes over no end of a match");
  }
  const note = Object.hasOwn(TABLE, event.type) ? TABLE[event.type] : undefined;
  if (note !== undefined) note(publicOf(event), log);
  checkEnvelope(event, log);
  checkSeals(event, log);
  checkForms(event);
  if (DRAW.every((name) => has(event.data, name))) checkDraw(event, log);
}

function checkPlace(event: Event, log: Log): void {
  const { version, command } = event;
  if (event.match !== log.match) throw new Wrong(`an event of another match, ${event.match}`);
  if (version !== log.version + 1) throw new Wrong(`event ${version} stands where event ${log.version + 1} was due`);
  if (command !== version && (command !== log.command || version === 1)) {
    throw new Wrong(`command ${command} is neither this event nor the command of the event before`);
  }
  if ((event.type === "match.created") !== (version === 1)) {
    throw new Wrong("match.created is the first event of a match and no other");
  }
  if (event.schema < 1) throw new Wrong("a schema number below 1");
  log.ruleset ||= event.ruleset;
  if (event.ruleset !== log.ruleset) throw new Wrong(`the ruleset changes from ${log.ruleset} to ${event.ruleset}`);
  if ((event.type === "match.ended") !== (log.over && version === log.count)) {
    throw new Wrong("match.ended is the last event of a match that is over, and of no other");
  }
}

/** Which of `nonce`, `public` and `parts` are there. */
function checkEnvelope(event: Event, log: Log): void {
  const sealed = has(event.seals, log.viewer);
  if (sealed !== (event.nonce !== undefined)) {
    throw new Wrong(sealed ? "the nonce of the own seal is missing" : "a nonce without a seal");
  }
  if (event.public !== undefined && (!sealed || canonical(event.public) === canonical(event.data))) {
    throw new Wrong("public must be left out here");
  }
  const due = log.viewer === FULL && log.over;
  if (due !== (event.parts !== undefined)) throw new Wrong(due ? "the parts are missing" : "parts do not belong here");
  if (event.parts !== undefined) {
    const seats = Object.keys(event.seals).filter((name) => name !== FULL);
    const parts = event.parts;
    if (seats.length !== Object.keys(parts).length || !seats.every((seat) => has(parts, seat))) {
      throw new Wrong("the parts are not those of the sealed seats");
    }
  }
}

/** Every seal this bundle can open. */
function checkSeals(event: Event, log: Log): void {
  const present = new Set([FULL, ...log.entropy.map((_, seat) => `s${seat}`)]);
  for (const [perspective, seal] of Object.entries(event.seals)) {
    if (!present.has(perspective)) throw new Wrong(`a seal for ${perspective}, whom this match does not have`);
    if (!isKind(seal, HEX_32)) throw new Wrong(`the seal of ${perspective} is not 64 hex digits`);
  }
  if (Object.keys(event.seals).length > 0 && !has(event.seals, FULL)) {
    throw new Wrong("the seal of the full form is missing");
  }
  const forms = new Map<string, Value>();
  if (has(event.seals, log.viewer)) forms.set(log.viewer, event.data);
  if (log.sealKey !== null) for (const [seat, part] of Object.entries(event.parts ?? {})) forms.set(seat, part);
  for (const [perspective, form] of forms) {
    let nonce = event.nonce!;
    if (log.sealKey !== null) {
      nonce = nonceOf(log.sealKey, log.match, log.version, perspective);
      if (perspective === log.viewer && nonce !== event.nonce) {
        throw new Wrong("the nonce is not the one that the revealed key gives");
      }
    }
    if (sealOf(log.match, log.version, perspective, nonce, form) !== event.seals[perspective]) {
      throw new Wrong(`the seal of ${perspective} does not open with this form`);
    }
    log.opened += 1;
  }
}

/** Whether `form` is `whole` with some of it face down, and nothing else changed. */
function hides(form: Value, whole: Value): boolean {
  if (form === FACE_DOWN) return true;
  if (Array.isArray(form) && Array.isArray(whole)) {
    return form.length === whole.length && form.every((inner, place) => hides(inner, whole[place]));
  }
  if (isObject(form) && isObject(whole)) {
    const names = Object.keys(form);
    return (
      names.length === Object.keys(whole).length &&
      names.every((name) => has(whole, name) && hides(form[name], whole[name]))
    );
  }
  return form === whole;
}

/** Forms tell the same event: each is `data`, its hidden places face down. */
function checkForms(event: Event): void {
  const forms: [string, Value][] = [["public", publicOf(event)], ...Object.entries(event.parts ?? {})];
  for (const [perspective, form] of forms) {
    if (!isObject(form)) throw new Wrong(`the form of ${perspective} is not an object`);
    if (!hides(form, event.data)) {
      throw new Wrong(`the form of ${perspective} differs from data in more than what lies face down`);
    }
  }
  if ([event.data, ...forms.map(([, form]) => form)].some((form) => depth(form) > DEEPEST)) {
    throw new Wrong(`an event nested deeper than ${DEEPEST}`);
  }
}

// What the table tells: number and entropy of the seats, commitment, reveal

function created(told: Json, log: Log): void {
  const [game, seats] = [at(told, "game"), at(told, "seats")];
  if (typeof game !== "string" || !Array.isArray(seats) || !isKind(at(told, "commitment"), HEX_32)) {
    throw new Wrong("a match has a game, seats and a commitment");
  }
  if (seats.length < 1 || seats.length > 7) throw new Wrong("a match has 1 to 7 seats");
  log.game = game;
  log.entropy = seats.map(() => null);
  const sandbox = at(told, "sandbox") ?? {};
  const seed = isObject(sandbox) ? (at(sandbox, "seed") ?? null) : "";
  if (seed !== null && !isKind(seed, SEED)) throw new Wrong("not a seed of a sandbox match");
  if (typeof seed === "string") log.drawnFor = `sandbox:${seed}`;
  const origin = at(told, "forked_from") ?? null;
  if (origin === null) return;
  const version = isObject(origin) ? at(origin, "version") : null;
  if (typeof version !== "number" || version < 1) throw new Wrong("a fork names the version of the other match");
  log.copied = version;
}

function seatOf(told: Json, log: Log): number {
  const seat = at(told, "seat");
  if (typeof seat !== "number" || seat < 0 || seat >= log.entropy.length) throw new Wrong("no such seat");
  if (log.started) throw new Wrong("the seats change after match.started has closed the entropy");
  return seat;
}

function joined(told: Json, log: Log): void {
  const entropy = at(told, "entropy");
  if (entropy !== null && !(typeof entropy === "string" && ENTROPY.test(entropy))) {
    throw new Wrong("the entropy of a seat is neither null nor 1 to 64 bytes in hex");
  }
  log.entropy[seatOf(told, log)] = entropy;
}

function cleared(told: Json, log: Log): void {
  log.entropy[seatOf(told, log)] = null;
}

function started(_told: Json, log: Log): void {
  if (log.started) throw new Wrong("match.started stands twice");
  log.started = true;
}

function ended(_told: Json, log: Log): void {
  if (log.matchKey === null) {
    throw new Wrong("match.ended does not reveal the secrets that match.created is committed to");
  }
}

const TABLE: { readonly [type: string]: (told: Json, log: Log) => void } = {
  "match.created": created,
  "match.seat_joined": joined,
  "match.bot_seated": cleared,
  "match.seat_left": cleared,
  "match.started": started,
  "match.ended": ended,
};

/** `H(["wonderlog/commit/1", match_key, commit_nonce])`. */
export function commitmentOf(matchKey: string, commitNonce: string): string {
  return digest(["wonderlog/commit/1", matchKey, commitNonce]);
}

/** The match key, from the event that opens the commitment of the first one: looked for before anything is
 * checked, so that every line can be checked in full when its turn comes. */
export function revealed(lines: readonly (Json | Wrong)[]): Buffer | null {
  const told: Json[] = [];
  for (const line of lines) {
    if (line instanceof Wrong) continue;
    const data = at(line, "data");
    if (isObject(data)) told.push(data);
  }
  for (const data of told.toReversed()) {
    const [key, nonce] = [at(data, "match_key"), at(data, "commit_nonce")];
    if (typeof key !== "string" || typeof nonce !== "string" || !HEX_32.test(key) || !HEX_32.test(nonce)) continue;
    if (commitmentOf(key, nonce) === at(told[0], "commitment")) return Buffer.from(key, "hex");
  }
  return null;
}

// Draws

function isCards(pile: Value): pile is string[] {
  return Array.isArray(pile) && pile.every((card) => typeof card === "string" && card !== FACE_DOWN);
}

/** A draw is told to all by label and number, and gives the same cards when it is made again. */
function checkDraw(event: Event, log: Log): void {
  const { label, count, input, output } = event.data;
  if (typeof label !== "string" || typeof count !== "number") throw new Wrong("a draw has a label and a number of cards");
  for (const form of [publicOf(event), ...Object.values(event.parts ?? {})]) {
    if ((form as Json).label !== label || (form as Json).count !== count) {
      throw new Wrong("label and number of a draw are public");
    }
  }
  if (log.labels.has(label)) throw new Wrong(`a second draw with the label ${label}`);
  log.labels.add(label);
  if (!log.started) throw new Wrong("a draw before match.started has closed the entropy");
  if (log.viewer !== FULL) {
    log.hidden += 1;
    return;
  }
  if (log.version <= log.copied) return;
  if (!isCards(input) || !isCards(output)) throw new Wrong("a draw names its cards, none of them face down");
  for (let place = 1; place < input.length; place++) {
    if (byCodePoints(input[place - 1], input[place]) > 0) throw new Wrong("the input of a draw is not sorted");
  }
  if (count < 0 || count > input.length) throw new Wrong("a draw of more cards than there are");
  if (log.matchKey === null) {
    log.hidden += 1;
    return;
  }
  const again = shuffled(words(subkey(log.matchKey, "draw"), log.drawnFor, log.entropy, label), input).slice(0, count);
  if (again.length !== output.length || again.some((card, place) => card !== output[place])) {
    throw new Wrong(`the draw ${label} gives other cards when it is made again`);
  }
  log.repeated += 1;
}

// Header, trailer, signatures

const SPKI = Buffer.from("302a300506032b6570032100", "hex");

/** Whether the Ed25519 signature over the canonical bytes is good. */
export function isSigned(key: string, signature: string, message: Value[]): boolean {
  try {
    const der = Buffer.concat([SPKI, Buffer.from(key, "hex")]);
    const known = createPublicKey({ key: der, format: "der", type: "spki" });
    return verifySignature(null, Buffer.from(canonical(message), "utf8"), known, Buffer.from(signature, "hex"));
  } catch (error) {
    if (error instanceof Wrong) throw error;
    return false; // no point of the curve
  }
}

function isHeadSigned(key: string, trailer: Json): boolean {
  const message = ["wonderlog/head/1", trailer.match, trailer.version, trailer.hash];
  return isSigned(key, trailer.head_signature as string, message);
}

function isTrailerSigned(key: string, trailer: Json): boolean {
  const message = ["wonderlog/bundle-trailer/1", trailer.match, trailer.version, trailer.hash, trailer.header_hash];
  return isSigned(key, trailer.signature as string, message);
}

function headerHash(header: Json): string {
  return digest(["wonderlog/bundle-header/1", header]);
}

/** The first line by itself. */
function checkHeader(header: Json, keys: Keys | null): void {
  checkMembers(header, HEADER);
  checkMembers(header.head as Json, HEAD);
  const [seats, count] = [header.seats as number, header.count as number];
  if (seats < 1 || seats > 7) throw new Wrong("a match has 1 to 7 seats");
  if (count < 1 || (header.head as Json).version !== count) throw new Wrong("count is not the version of the head");
  if (keys !== null && !(header.public_key !== null && keys.has(header.public_key as string))) {
    throw new Wrong("the bundle is not signed with a key you named");
  }
}

/** Throws Wrong where the header is the odd one out: it differs from what events and trailer agree on, or the
 * trailer was signed together with another header. */
function blameHeader(header: Json, events: (Json | Wrong)[], trailer: Json): void {
  const last = events[events.length - 1];
  const head = { version: trailer.version, hash: trailer.hash };
  if (!(last instanceof Wrong) && events.length === trailer.version && at(last, "hash") === trailer.hash) {
    let good = false;
    try {
      checkedEvent(last);
      good = hashOf(last) === last.hash && last.match === trailer.match;
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
    }
    if (good) {
      const told: Json = { match: trailer.match, count: trailer.version, head, over: last.type === "match.ended" };
      for (const [name, value] of Object.entries(told)) {
        if (canonical(header[name]) !== canonical(value)) throw new Wrong(`${name} is not what events and trailer say`);
      }
    }
  }
  if (trailer.match !== header.match || canonical(head) !== canonical(header.head)) return;
  if (trailer.header_hash === headerHash(header)) return;
  const key = header.public_key as string | null;
  if (key === null || trailer.signature === null || trailer.head_signature === null) {
    throw new Wrong("the header does not give the header_hash in the trailer");
  }
  if (isTrailerSigned(key, trailer)) throw new Wrong("this is not the header that was signed");
  if (!isHeadSigned(key, trailer)) {
    throw new Wrong("the header does not give the header_hash in the trailer, nor fits its key the signatures");
  }
}

/** Header and trailer against the events between them; what is known of the signature. */
function checkEnd(header: Json, log: Log, trailer: Json): string {
  const told = { game: log.game, seats: log.entropy.length, ruleset: log.ruleset };
  for (const [name, value] of Object.entries(told)) {
    if (header[name] !== value) throw new Wrong(`${name} is not that of the events`, 1);
  }
  if (log.hash !== (header.head as Json).hash) {
    throw new Wrong("this last event is not the head that the header names", log.version + 1);
  }
  if (trailer.match !== log.match || trailer.version !== log.version || trailer.hash !== log.hash) {
    throw new Wrong("the trailer does not name the last event");
  }
  if (trailer.header_hash !== headerHash(header)) throw new Wrong("header_hash is not that of the header");
  const key = header.public_key as string | null;
  if (key === null) {
    if (trailer.head_signature !== null || trailer.signature !== null) {
      throw new Wrong("a signature, and no key in the header");
    }
    return "unsigned";
  }
  if (trailer.head_signature === null || trailer.signature === null) throw new Wrong("a signature is missing");
  if (!isHeadSigned(key, trailer)) throw new Wrong("the signature of the head is not good");
  if (!isTrailerSigned(key, trailer)) throw new Wrong("the signature of the trailer is not good");
  return "valid";
}

// The whole file

export type Report =
  | { ok: false; line: number; why: string }
  | {
      ok: true; match: string; perspective: string; over: boolean; events: number; seals_opened: number;
      draws_repeated: number; draws_hidden: number; events_copied: number;
      head: Value; signature: string; public_key: Value;
    };

/** Check the bytes of a bundle; `keys`: the public keys to accept, any for null. */
export function verify(raw: Uint8Array, keys: Keys | null = null): Report {
  const walk = { line: 1 };
  try {
    return walked(linesOf(raw), keys, walk);
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return { ok: false, line: error.line || walk.line, why: error.message };
  }
}

function walked(lines: (Json | Wrong)[], keys: Keys | null, walk: { line: number }): Report {
  function line(number: number, due: string): Json {
    walk.line = number;
    if (number > lines.length) throw new Wrong(`the file ends where ${due} was due`);
    const found = lines[number - 1];
    if (found instanceof Wrong) throw found;
    return found;
  }

  const header = line(1, "the header");
  checkHeader(header, keys);
  const events = lines.slice(1, -1);
  const ending = lines[lines.length - 1];
  if (events.length > 0 && !(ending instanceof Wrong) && isTrailer(ending)) blameHeader(header, events, ending);
  const log = new Log(header, header.over ? revealed(lines) : null);
  for (let version = 1; version <= log.count; version++) {
    const event = line(version + 1, `event ${version}`);
    if (has(event, "format")) throw new Wrong(`the events end where event ${version} was due`);
    checkEvent(event, log);
  }
  const trailer = line(log.count + 2, "the trailer");
  if (!has(trailer, "format")) throw new Wrong("one event more than the header counts");
  checkMembers(trailer, TRAILER);
  const signature = checkEnd(header, log, trailer);
  if (lines.length > log.count + 2) throw new Wrong("a line after the trailer", log.count + 3);
  const until = keys === null ? null : keys.get(header.public_key as string);
  if (until && (line(log.count + 1, "the last event").occurred_at as string) > until) {
    throw new Wrong(`the key was retired at ${until}, before the last event`, 1);
  }
  return {
    ok: true, match: log.match, perspective: log.viewer, over: log.over, events: log.version,
    seals_opened: log.opened, draws_repeated: log.repeated, draws_hidden: log.hidden, events_copied: log.copied,
    head: header.head, signature, public_key: header.public_key,
  };
}

function isTrailer(value: Json): boolean {
  try {
    checkMembers(value, TRAILER);
    return true;
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return false; // named when its line is reached
  }
}

// The command

/** The keys in a file as `/.well-known/wonderlog-keys.json` has them. */
export function keysOf(raw: Uint8Array): Keys {
  let file: Value;
  try {
    file = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(raw));
  } catch {
    throw new Wrong("not a file of keys");
  }
  const listed = isObject(file) ? at(file, "keys") : undefined;
  if (!Array.isArray(listed)) throw new Wrong("not a file of keys");
  const keys: Keys = new Map();
  for (const entry of listed) {
    if (!isObject(entry) || at(entry, "algorithm") !== "Ed25519") throw new Wrong("not a key for Ed25519");
    const [key, until] = [at(entry, "public_key"), at(entry, "valid_until")];
    if (typeof key !== "string" || !HEX_32.test(key)) throw new Wrong("a key is 64 lower-case hex digits");
    if (until !== null && !(typeof until === "string" && MOMENT.test(until))) {
      throw new Wrong("valid_until is null or a time in UTC");
    }
    keys.set(key, until);
  }
  return keys;
}

/** Safe to print: what a file brings along may not steer a terminal. */
function plain(text: string): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return text.replace(/[^ -~]/g, escaped);
}

function summary(report: Report, named: boolean): string {
  if (!report.ok) return `line ${report.line}: ${plain(report.why)}`;
  let done = `${report.events} events, ${report.seals_opened} seals opened, ${report.draws_repeated} draws repeated`;
  if (report.events_copied > 0) {
    done += ` (a fork: the first ${report.events_copied} events and their draws are those of another match)`;
  }
  if (report.draws_hidden > 0) done += ` (${report.draws_hidden} still hidden)`;
  const text = `${plain(report.match)}: ${done}, ${report.signature === "valid" ? "signature valid" : "not signed"}`;
  if (report.signature !== "valid" || named) return text;
  return `${text}\nby the key in the file, ${report.public_key}: compare it with the published keys`;
}

const USAGE = "usage: node verify_bundle.ts [--json] [--key HEX] [--keys FILE] FILE";

function main(words: string[]): number {
  let [json, file, keys] = [false, null as string | null, null as Keys | null];
  const next = (): string => words.shift() ?? fail("a value is missing");
  function fail(why: string): never {
    throw new RangeError(why);
  }
  try {
    while (words.length > 0) {
      const word = next();
      if (word === "--json") json = true;
      else if (word === "--key") {
        const key = next();
        if (!HEX_32.test(key)) fail("a key is 64 lower-case hex digits");
        keys = new Map([...(keys ?? []), [key, null]]);
      } else if (word === "--keys") keys = new Map([...keysOf(readFileSync(next())), ...(keys ?? [])]);
      else if ((word.startsWith("-") && word !== "-") || file !== null) fail(`${word} is not expected`);
      else file = word;
    }
    const raw = readFileSync(file === "-" ? 0 : (file ?? fail("a file is missing")));
    const report = verify(raw, keys);
    console.log(json ? JSON.stringify(report) : summary(report, keys !== null));
    return report.ok ? 0 : 1;
  } catch (error) {
    const known = error instanceof RangeError || error instanceof Wrong || (error as { code?: string }).code !== undefined;
    if (!known) throw error;
    console.error(`${USAGE}\n${plain((error as Error).message)}`);
    return 2;
  }
}

if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = main(process.argv.slice(2));
}
