/**
 * A bot in a few lines: `node example_bot.ts URL KEY GAME SEATS` plays a whole match, every seat by itself.
 *
 * It knows no rules: it asks what may be done and does one of those things.
 */

import { pathToFileURL } from "node:url";
import { Api, Refused, Seat } from "./wonderlog_client.ts";
import type { Json } from "./wonderlog_client.ts";

/** A new match with all seats taken, started. */
export async function setUp(api: Api, game: string, seats: number): Promise<Seat[]> {
  const plan = Array.from({ length: seats }, () => ({ kind: "open" }));
  const match = (await api.post("/v1/matches", { game, seats: plan })).id as string;
  const path = `/v1/matches/${match}`;
  const taken: Seat[] = [];
  while (taken.length < seats) {
    const { token } = await api.post(`${path}/seats`, {});
    taken.push(new Seat(api.url, match, token as string));
  }
  await api.post(`${path}/commands`, { command: { type: "start" } });
  return taken;
}

/** Random moves of whoever is awaited, to the end; the last view. */
export async function play(seats: Seat[], dice: () => number = Math.random): Promise<Json> {
  for (;;) {
    const view = await seats[0]!.view();
    if (view.status !== "running") return view;
    for (const number of view.awaited as number[]) {
      const moves = (await seats[number]!.moves()).filter((move) => !move.body.command.type.startsWith("withdraw"));
      if (moves.length === 0) continue;
      try {
        await seats[number]!.send(moves[Math.floor(dice() * moves.length)]!.body);
      } catch (no) {
        if (!(no instanceof Refused) || ![409, 412, 422].includes(no.status)) throw no; // those three: look again
      }
    }
  }
}

async function main(url: string, key: string, game = "seven-wonders", seats = "3"): Promise<void> {
  const view = await play(await setUp(new Api(url, key), game, Number(seats)));
  const { reason, ranking } = view.outcome as Json;
  console.log(JSON.stringify({ match: view.match, status: view.status, reason, ranking }));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  await main(...(process.argv.slice(2) as [string, string, string, string]));
}
