/**
 * A thin client of Wonderlog: resumes, retries with the same key, and checks the chain of events.
 *
 * One file for Node 22.18 or newer, which runs TypeScript as it is; fetch and the standard library, nothing else.
 * Copy it.
 *
 *     const seat = new Seat("http://127.0.0.1:8080", match, token);
 *     for await (const event of seat.stream()) { … }   // from the last version seen, exactly once each
 *     await seat.send((await seat.moves())[0].body);   // at most once, however often it has to be repeated
 *
 * How it retries: 429, 502, 503, 504 and lost connections, the same request with the same Idempotency-Key, after a
 * random time (full jitter, 0.5 s doubled up to 30 s) or after Retry-After when that is longer, at most eight times.
 * Everything else is thrown as `Refused`; after 409, 412 and 422 read again, then decide.
 */

import { createHash, randomUUID } from "node:crypto";

export const TRIES = 8;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const AGAIN: readonly number[] = [429, 502, 503, 504];
const WAIT_S = 25;
/** A stream says something every 15 seconds; after two silent intervals it is dead. */
const SILENCE_MS = 35_000;
export const NO_HASH = "0".repeat(64);

export type Value = null | boolean | number | string | Value[] | Json;
export type Json = { [name: string]: Value };
export type Event = Json & { type: string; version: number; match: string; prev_hash: string; hash: string };
export type Body = Json & { command: Json & { type: string } };
export type Move = Json & { id: string; label: string; body: Body };

/** The service said no: `status`, `code` and the whole `problem` document. */
export class Refused extends Error {
  readonly status: number;
  readonly problem: Json;
  readonly code: string;

  constructor(status: number, problem: Json) {
    const code = typeof problem.code === "string" ? problem.code : "unknown";
    super(`${status} ${code}: ${String(problem.detail ?? "")}`);
    this.status = status;
    this.problem = problem;
    this.code = code;
  }
}

/** No answer after every try. What a command did is not known: ask `outcome` with its key. */
export class Unreachable extends Error {}

/** Events do not follow one another: one is missing, or was changed after it was hashed into the next. */
export class ChainBroken extends Error {}

/** The connection broke, or nothing came for too long. */
class Lost extends Error {}

type Asked = { method: string; headers: Record<string, string>; body?: string };

/** The service with one credential: a tenant key or the token of a seat. */
export class Api {
  readonly url: string;
  readonly token: string | null;
  timeoutMs = 60_000;
  /** Sleeps, in milliseconds. */
  pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));
  /** A number from 0 up to 1. */
  dice: () => number = Math.random;

  constructor(url: string, token: string | null = null) {
    this.url = url;
    this.token = token;
  }

  /** GET; the answer's JSON. Throws Refused, Unreachable. */
  get(path: string, query: Record<string, string | number> = {}): Promise<Json> {
    const text = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]));
    return this.ask(text.size > 0 ? `${path}?${text}` : path, { method: "GET", headers: {} });
  }

  /** POST under an Idempotency-Key (a new one unless given); the answer's JSON. Throws Refused, Unreachable. */
  post(path: string, body: Json, key: string = newKey()): Promise<Json> {
    const headers = { "Content-Type": "application/json", "Idempotency-Key": key };
    return this.ask(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  private async ask(path: string, asked: Asked): Promise<Json> {
    return this.repeat(`${asked.method} ${path}`, async () => {
      const answer = await this.once(path, asked, AbortSignal.timeout(this.timeoutMs));
      const text = await answer.text().catch(lost);
      return text === "" ? {} : (JSON.parse(text) as Json);
    });
  }

  /**
   * What comes over a stream of server-sent events, from `after` on, until the connection ends. Throws Refused,
   * Unreachable.
   */
  async *items(path: string, after: number): AsyncGenerator<Json> {
    let over = new AbortController();
    let alarm: NodeJS.Timeout | undefined;
    const heard = () => {
      clearTimeout(alarm);
      alarm = setTimeout(() => over.abort(), SILENCE_MS);
    };
    try {
      const headers = { Accept: "text/event-stream", "Last-Event-ID": String(after) };
      const asked = { method: "GET", headers };
      const answer = await this.repeat(`GET ${path}`, () => {
        over = new AbortController();
        heard();
        return this.once(path, asked, over.signal);
      });
      if (answer.body === null) return;
      const reader = answer.body.getReader();
      const decoder = new TextDecoder();
      let kept = "";
      for (;;) {
        const { done, value } = await reader.read().catch(lost);
        if (done) return;
        heard();
        const blocks = (kept + decoder.decode(value, { stream: true })).split("\n\n");
        kept = blocks.pop() ?? "";
        for (const block of blocks) {
          const data = block.split("\n").filter((line) => line.startsWith("data:"));
          if (data.length > 0) yield JSON.parse(data.map((line) => line.slice(5).trimStart()).join("\n")) as Json;
        }
      }
    } finally {
      clearTimeout(alarm);
      over.abort();
    }
  }

  /** The answer of one try, when it is one. */
  private async once(path: string, asked: Asked, signal: AbortSignal): Promise<Response> {
    const headers = { ...asked.headers, ...(this.token === null ? {} : { Authorization: `Bearer ${this.token}` }) };
    const answer = await fetch(this.url + path, { ...asked, headers, signal }).catch(lost);
    if (AGAIN.includes(answer.status)) throw new Lost(answer.headers.get("Retry-After") ?? "");
    if (answer.status < 400) return answer;
    throw new Refused(answer.status, problem(await answer.text().catch(lost)));
  }

  private async repeat<T>(what: string, attempt: () => Promise<T>): Promise<T> {
    for (let number = 0; ; number++) {
      try {
        return await attempt();
      } catch (error) {
        // Lost on the way there or on the way back: the key makes it safe to ask again.
        if (!(error instanceof Lost)) throw error;
        if (number === TRIES - 1) throw new Unreachable(`${what}: no answer after ${TRIES} tries`);
        await this.backOff(number, seconds(error.message) * 1000);
      }
    }
  }

  /** Waits before try `number` + 1: at random, and at least `leastMs`. */
  backOff(number: number, leastMs = 0): Promise<void> {
    return this.pause(Math.max(leastMs, this.dice() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** number)));
  }
}

/** A seat of a match. `version` and `head` are the last event seen: keep both to resume later. */
export class Seat {
  readonly api: Api;
  readonly match: string;
  readonly path: string;
  version: number;
  head: string;

  constructor(url: string, match: string, token: string, version = 0, head = NO_HASH) {
    this.api = new Api(url, token);
    this.match = match;
    this.path = `/v1/matches/${match}`;
    this.version = version;
    this.head = head;
  }

  /** The table as the seat sees it. */
  view(): Promise<Json> {
    return this.api.get(`${this.path}/view`);
  }

  /** What the seat may do now, each with the `body` to send. */
  async moves(): Promise<Move[]> {
    return (await this.api.get(`${this.path}/legal-moves`)).moves as Move[];
  }

  /** Do something, at most once. Throws Refused, Unreachable. */
  send(body: Json, key: string = newKey()): Promise<Json> {
    return this.api.post(`${this.path}/commands`, body, key);
  }

  /** What became of a command: `applied` with its versions, or `unknown`. */
  outcome(key: string): Promise<Json> {
    return this.api.get(`${this.path}/commands/${key}`);
  }

  /**
   * The events after `version`, by long-poll, each once and in order, until the match is over (or, with `waitS` 0,
   * until there are no more). Throws ChainBroken, Refused, Unreachable.
   */
  async *events(waitS = WAIT_S): AsyncGenerator<Event> {
    for (;;) {
      const query = { after: this.version, limit: 200, wait: waitS };
      const page = await this.api.get(`${this.path}/events`, query);
      for (const event of page.items as Event[]) {
        if (event.version <= this.version) continue; // delivery is at least once
        this.follow(event);
        yield event;
        if (event.type === "match.ended") return;
      }
      if (waitS === 0 && this.version >= (page.head as number)) return;
    }
  }

  /** The same over a stream, which is opened again where it breaks, until the match is over. */
  async *stream(): AsyncGenerator<Event> {
    for (let failures = 0; failures < TRIES; failures++) {
      try {
        let head: unknown;
        for await (const item of this.api.items(`${this.path}/events`, this.version)) {
          const { type } = item as Event;
          if (type === "hello") head = item.head;
          if (type !== "hello" && type !== "bye") failures = 0;
          if (type === "reset") throw new ChainBroken(`event ${this.version} is not in the log any more`);
          // There was nothing more; else the end itself was lost: from there again.
          if (type === "bye" && item.reason === "match-over" && head === this.version) return;
          if (type === "bye" && item.reason === "auth-revoked") throw new Refused(401, item);
          if (!type.includes(".") || (item as Event).version <= this.version) continue;
          if ((item as Event).version > this.version + 1) break; // one was lost on the way: from there again
          this.follow(item as Event);
          yield item as Event;
          if (type === "match.ended") return;
        }
      } catch (error) {
        if (!(error instanceof Lost)) throw error;
      }
      await this.api.backOff(failures);
    }
    throw new Unreachable(`${this.path}/events: ${TRIES} streams brought nothing`);
  }

  private follow(event: Event): void {
    if (event.version !== this.version + 1 || event.prev_hash !== this.head)
      throw new ChainBroken(`event ${event.version} does not follow event ${this.version}`);
    if (event.match !== this.match || eventHash(event) !== event.hash)
      throw new ChainBroken(`event ${event.version} is not the one that was hashed`);
    this.version = event.version;
    this.head = event.hash;
  }
}

function lost(error: unknown): never {
  throw new Lost("", { cause: error });
}

function problem(text: string): Json {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === "object" && body !== null && !Array.isArray(body) ? (body as Json) : {};
  } catch {
    return {}; // from something on the way, which speaks no JSON
  }
}

const seconds = (text: string): number => (/^[0-9]+$/.test(text) ? Number(text) : 0);

/** A fresh Idempotency-Key. */
export const newKey = (): string => randomUUID();

const HASHED = ["match", "version", "type", "schema", "ruleset", "decision", "actor", "cause", "command"];
HASHED.push("occurred_at", "public", "seals", "prev_hash");

/** The hash of an event by its header (docs/audit.md); `public` stands in `data` where the two are one. */
export function eventHash(event: Json): string {
  const member = (name: string) => (name === "public" ? (event.public ?? event.data) : event[name]) as Value;
  const header = Object.fromEntries(HASHED.map((name) => [name, member(name)]));
  return createHash("sha256").update(canonical(["wonderlog/event/1", header])).digest("hex");
}

/** The canonical text of a JSON value (RFC 8785): numbers and strings as ECMAScript writes them, members sorted. */
export function canonical(value: Value): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.keys(value).sort();
    return `{${members.map((name) => `${JSON.stringify(name)}:${canonical(value[name]!)}`).join(",")}}`;
  }
  return JSON.stringify(value);
}
