// Plays a whole match with types generated from openapi.yaml: node generated_bot.ts URL KEY GAME SEATS
import createClient from "openapi-fetch";
import type { components, paths } from "./openapi.d.ts";

type Game = components["schemas"]["NewMatch"]["game"];
const [url, key, game, seats] = process.argv.slice(2) as [string, string, Game, string];
const as = (token: string) =>
  createClient<paths>({ baseUrl: url, headers: { Authorization: `Bearer ${token}` } });
const header = () => ({ "Idempotency-Key": crypto.randomUUID() });

function found<T>(answer: { data?: T; error?: unknown }): T {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.data;
}

const host = as(key);
const body = { game, seats: Array.from({ length: Number(seats) }, () => ({ kind: "open" as const })) };
const match = found(await host.POST("/v1/matches", { body, params: { header: header() } })).id;
const players = [];
for (let seat = 0; seat < Number(seats); seat++) {
  const params = { path: { match }, header: header() };
  players.push(as(found(await host.POST("/v1/matches/{match}/seats", { body: {}, params })).token!));
}
const start = { command: { type: "start" as const } };
found(await host.POST("/v1/matches/{match}/commands", { body: start, params: { path: { match }, header: header() } }));
for (;;) {
  const view = found(await host.GET("/v1/matches/{match}/view", { params: { path: { match } } }));
  if (view.status === "over") {
    console.log(JSON.stringify({ status: view.status, reason: view.outcome?.reason }));
    break;
  }
  for (const seat of view.awaited) {
    const { moves } = found(await players[seat]!.GET("/v1/matches/{match}/legal-moves", { params: { path: { match } } }));
    const bodies = moves.map((move) => move.body).filter((each) => !each.command.type.startsWith("withdraw"));
    if (bodies.length === 0) continue;
    const chosen = bodies[Math.floor(Math.random() * bodies.length)]!;
    found(await players[seat]!.POST("/v1/matches/{match}/commands", { body: chosen, params: { path: { match }, header: header() } }));
  }
}
