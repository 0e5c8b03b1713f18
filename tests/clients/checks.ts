// Small questions to the thin client, answered as JSON: node checks.ts WHAT
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Api, ChainBroken, NO_HASH, Refused, Seat, TRIES, Unreachable, canonical, eventHash } from "./wonderlog_client.ts";
import type { Event, Json, Value } from "./wonderlog_client.ts";

/** What the client does against a server that answers with these, one after the other. */
async function against(statuses: number[], ask: (api: Api) => Promise<unknown>): Promise<Json> {
  const keys: Value[] = [];
  const pauses: number[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers["idempotency-key"]));
    const status = statuses[Math.min(keys.length, statuses.length) - 1]!;
    if (status === 0) return void request.socket.destroy();
    response.writeHead(status, { "Retry-After": "7" }).end('{"code":"illegal-move"}');
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const api = new Api(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, "st_x");
  api.pause = async (ms) => void pauses.push(ms);
  api.dice = () => 0.5;
  const no = await ask(api).catch((error: unknown) => error);
  server.close();
  const said = no instanceof Refused ? `${no.status} ${no.code}` : no instanceof Unreachable ? "unreachable" : "?";
  return { said, keys, pauses };
}

/** Whether a reader notices, given pages that hold these events. */
async function notices(items: Event[]): Promise<boolean> {
  const seat = new Seat("http://127.0.0.1:9", items[0]!.match, "st_x");
  seat.api.get = async () => ({ items, head: items.length });
  try {
    for await (const _ of seat.events(0));
    return false;
  } catch (error) {
    return error instanceof ChainBroken;
  }
}

const given = JSON.parse(await text(process.stdin)) as { values: Value[]; events: Event[]; wrong: Event[][] };
const answers = {
  canonical: given.values.map(canonical),
  hashes: given.events.map(eventHash),
  noticed: await Promise.all(given.wrong.map(notices)),
  retried: await against([503, 429, 422], (api) => api.post("/v1/x", {})),
  lost: await against([0], (api) => api.post("/v1/x", {}, "the-same")),
  tries: TRIES,
  first: NO_HASH,
};
console.log(JSON.stringify(answers));
