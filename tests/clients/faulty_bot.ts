// Plays a match over a bad network and reads it over the same: node faulty_bot.ts URL KEY GAME SEATS
import { play, setUp } from "./example_bot.ts";
import { Api, Refused, Seat } from "./wonderlog_client.ts";

const [url, key, game, seats] = process.argv.slice(2) as [string, string, string, string];
const noPause = async (): Promise<void> => {};
let sent = 0;
class Counting extends Seat {
  override async send(...given: Parameters<Seat["send"]>): ReturnType<Seat["send"]> {
    const answer = await super.send(...given);
    sent++;
    return answer;
  }
}

const api = new Api(url, key);
api.pause = noPause;
const players = (await setUp(api, game, Number(seats))).map((seat) => new Counting(url, seat.match, seat.api.token!));
for (const seat of players) seat.api.pause = noPause;
const view = await play(players);
const ends = [];
for (const way of ["events", "stream"] as const) {
  const reader = new Seat(url, players[0]!.match, players[0]!.api.token!);
  reader.api.pause = noPause;
  const versions = [];
  for await (const event of reader[way]()) versions.push(event.version);
  ends.push({ versions, version: reader.version, head: reader.head });
}
const refused = await players[0]!.api.get("/v1/matches/no-such-match").catch((no: unknown) => no);
const status = refused instanceof Refused ? refused.status : 0;
console.log(JSON.stringify({ match: players[0]!.match, token: players[0]!.api.token, view, ends, sent, status }));
