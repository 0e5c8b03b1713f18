"""The composition root: settings in, use cases out. Nothing happens at import, and nothing connects here."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from urllib.parse import unquote

from redis import Redis, RedisError
from rq import Queue
from rq.serializers import JSONSerializer

from domain.kernel.game import Game
from events.archive import Moves
from events.feed import Feed
from events.memory import MemoryStore
from events.redis_link import connect
from events.redis_moves import RedisMoves
from events.redis_server import UnfitServer
from events.redis_server import check as check_server
from events.redis_streams import RedisStreams
from events.signing import Signer
from events.store import EventStore, StoreUnavailable
from service import card_sets
from service.adapters.archive_folder import FolderArchive, MemoryArchive
from service.adapters.audit_jobs import AuditJobs
from service.adapters.finished import MemoryFinished, MemoryRetentions, RedisFinished, RedisRetentions
from service.adapters.imports import MemoryImports, RedisImports
from service.adapters.memory import MemoryKeys, MemoryReadModels, MemoryScheduler
from service.adapters.memory_feed import MemoryFeed
from service.adapters.memory_jobs import MemoryJobs
from service.adapters.memory_persons import MemoryPersons
from service.adapters.memory_queue import MemoryQueue
from service.adapters.memory_statistics import MemoryTotals
from service.adapters.memory_tickets import MemoryTickets
from service.adapters.memory_webhooks import MemoryWebhooks
from service.adapters.quotas import MemoryQuotas, RedisQuotas
from service.adapters.redis_feed import RedisFeed
from service.adapters.redis_jobs import RedisJobs
from service.adapters.redis_keys import RedisKeys
from service.adapters.redis_persons import RedisPersons
from service.adapters.redis_queue import RedisQueue
from service.adapters.redis_read_models import RedisReadModels
from service.adapters.redis_scheduler import RedisScheduler
from service.adapters.redis_statistics import RedisTotals
from service.adapters.redis_tickets import RedisTickets
from service.adapters.redis_webhooks import RedisWebhooks
from service.adapters.sandbox import MemorySandbox, RedisSandbox
from service.adapters.secrecy_reports import MemoryReports, RedisReports
from service.adapters.webhook_sender import WebhookSender
from service.archived import ArchivedStore, ArchiveStorage
from service.archiving import Archiving
from service.batching import Batching
from service.bot_turns import BotTurns, Limit
from service.clock import Clock, SystemClock
from service.credentials import MatchTokens
from service.errors import NotReady
from service.finished import Finished
from service.follow_ups import FollowUps
from service.following import Following
from service.forking import Forking
from service.games import Catalogue
from service.impact import Auditing
from service.importing import Importing
from service.imports import ImportingStore, Imports
from service.inviting import Inviting
from service.job_records import JobStorage
from service.keyring import TenantKeys
from service.lobby import Lobby
from service.matches import Matches
from service.origins import Origins
from service.outages import Outages
from service.person_keys import PersonKeys
from service.persons import Persons
from service.playing import Playing
from service.positions import Cache, Positions
from service.proving import Proving
from service.queue_tickets import QueueStorage
from service.queueing import Queueing
from service.quotas import Quotas
from service.read_models import ReadModels
from service.relisting import Relisting
from service.rematching import Rematching
from service.retention import Retentions
from service.sandbox import SandboxStorage, WorldClock
from service.sandbox_clock import SandboxClock
from service.scheduling import Scheduler
from service.seating import Seating
from service.secrecy_reports import Secrecy, SecrecyReports
from service.settings import MEMORY_URL, Settings, derived
from service.statistics.statistics import Statistics
from service.statistics.totals import Totals
from service.tenant_feed import TenantFeed, tenant_of
from service.tenant_keys import KeyStorage
from service.tickets import Tickets, TicketStorage
from service.transact import Transactor
from service.travelling import Travelling
from service.upkeep import Upkeep
from service.watching import Watching
from service.webhooks.deliveries import WebhookStorage
from service.webhooks.delivering import Delivering
from service.webhooks.notifying import Notifying
from service.webhooks.subscriptions import Webhooks


def unlimited(seconds: float) -> AbstractContextManager[None]:
    """No limit: for processes that play no bots, and for tests."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class ArchiveParts:
    """What the archive stands on. `storage` is None where there is none."""

    store: ArchivedStore
    moves: Moves
    storage: ArchiveStorage | None
    finished: Finished
    retentions: Retentions


@dataclass(frozen=True, slots=True)
class Adapters:
    """What the use cases stand on. `check` gives warnings, and raises NotReady. `queue` is None in memory."""

    store: EventStore
    scheduler: Scheduler
    lists: ReadModels
    keys: KeyStorage
    webhooks: WebhookStorage
    quotas: Quotas
    tenants: TenantFeed
    tickets: TicketStorage
    archive: ArchiveParts
    check: Callable[[], list[str]]
    queue: Queue | None = None
    close: list[Callable[[], None]] = field(default_factory=list)
    imports: Imports = field(default_factory=MemoryImports)
    persons: PersonKeys = field(default_factory=MemoryPersons)
    sandbox: SandboxStorage = field(default_factory=MemorySandbox)
    queue_of_players: QueueStorage = field(default_factory=MemoryQueue)
    jobs: JobStorage = field(default_factory=MemoryJobs)
    totals: Totals = field(default_factory=MemoryTotals)
    secrecy: SecrecyReports = field(default_factory=MemoryReports)


@dataclass(frozen=True, slots=True)
class Services:
    """Everything a process needs: `matches` for the faces, `bots` and `upkeep` for the workers."""

    settings: Settings
    matches: Matches
    bots: BotTurns
    upkeep: Upkeep
    archiving: Archiving
    keys: TenantKeys
    origins: Origins
    notifying: Notifying
    delivering: Delivering
    adapters: Adapters
    feed: Feed
    relisting: Relisting
    auditing: Auditing
    persons: Persons
    queueing: Queueing
    batching: Batching
    statistics: Statistics
    secrecy: Secrecy

    @property
    def audits(self) -> AuditJobs | None:
        """Audits by the job workers; None in memory, where there are none."""
        return None if self.adapters.queue is None else AuditJobs(self.adapters.queue)

    def every_match(self) -> Iterator[str]:
        """Every match that has a log, in the store or in the archive, each once. Raises StoreUnavailable."""
        # In this order: who moves away meanwhile is in both.
        both = chain(self.adapters.lists.all_matches(), self.adapters.archive.moves.away())
        yield from dict.fromkeys(both)

    @property
    def store(self) -> EventStore:
        return self.adapters.store

    @property
    def scheduler(self) -> Scheduler:
        return self.adapters.scheduler

    def close(self) -> None:
        """End the feed and close the connections."""
        self.feed.close()
        for close in self.adapters.close:
            close()


def services(
    settings: Settings,
    games: Mapping[str, Game] | None = None,
    clock: Clock | None = None,
    limit: Limit = unlimited,
    adapters: Adapters | None = None,
) -> Services:
    """The use cases for these settings. `games`: by default those the settings name. `limit` bounds the time
    of bots; `adapters` takes the place of those the settings ask for. Raises SettingsError, ValueError for
    URLs that make no sense."""
    clock = clock or SystemClock()
    games = card_sets.games(settings.kingdom_cards) if games is None else games
    made = adapters or adapters_for(settings, clock)
    cache = Cache(settings.cached_matches)
    known = Positions(made.store, games, cache)
    worlds = WorldClock(clock, made.sandbox)
    notifying = Notifying(made.webhooks, made.store, known, worlds)
    after = FollowUps(made.scheduler, made.lists, made.tenants, notifying, worlds, made.archive.finished)
    outages = Outages(made.scheduler, clock, settings.outage_ms)
    transactor = Transactor(made.store, known, after, worlds, outages)
    hook_secret = derived(settings.server_secret, "webhooks")
    catalogue = Catalogue(games)
    keys = TenantKeys(made.keys, clock, derived(settings.server_secret, "ids"))
    feed = Feed(
        made.store,
        other_heads=lambda topic: made.tenants.span(tenant_of(topic)).head,
        on_new_rights=keys.distrust,
    )
    persons = Persons(made.persons, clock, derived(settings.server_secret, "persons"))
    watching = Watching(
        made.store,
        known,
        made.lists,
        feed,
        derived(settings.server_secret, "cursors"),
        settings.public_spectators,
        persons,
    )
    ids = derived(settings.server_secret, "ids")
    lobby, playing = Lobby(games, transactor, known, worlds, ids, persons), Playing(transactor, known, worlds)
    statistics = Statistics(made.store, known, made.totals, games)
    upkeep = Upkeep(
        made.store,
        known,
        transactor,
        made.scheduler,
        made.lists,
        made.tenants,
        worlds,
        notifying,
        outages,
        made.archive.finished,
        settings.fork_idle_hours,
        statistics,
    )
    queueing = Queueing(games, made.queue_of_players, lobby, playing, worlds, ids, persons)
    batching = Batching(made.jobs, made.store, lobby, playing, known, made.lists, upkeep, worlds, ids)
    signer = Signer.from_seed(settings.signing_seed)
    origins = Origins(made.keys, clock)
    proving = Proving(made.store, watching.seen, catalogue, signer, settings.old_signing_keys)
    secrecy = Secrecy(made.store, watching.seen, games, made.secrecy)
    matches = Matches(
        made.store,
        keys,
        MatchTokens(),
        catalogue,
        lobby,
        playing,
        watching,
        Travelling(made.store, known, settings.public_spectators, proving.export),
        proving,
        Forking(
            made.store,
            known,
            after,
            worlds,
            derived(settings.server_secret, "ids"),
            made.quotas,
            settings.forks_a_day,
        ),
        Importing(
            made.imports,
            games,
            catalogue,
            clock,
            derived(settings.server_secret, "ids"),
            settings.imports,
            settings.import_days,
        ),
        Following(made.store, keys, watching, made.tenants, feed),
        Tickets(made.tickets, derived(settings.server_secret, "stream-tickets")),
        made.check,
        Webhooks(made.webhooks, hook_secret, worlds, settings.webhooks_allow_loopback, notifying.look_again),
        Seating(made.store, transactor, worlds, derived(settings.server_secret, "ids"), persons),
        Inviting(made.store, known, worlds, derived(settings.server_secret, "ids"), persons),
        origins,
        Rematching(games, made.store, transactor, known, made.lists, worlds, ids, persons),
        persons,
        SandboxClock(made.sandbox, worlds, made.lists, upkeep.look_at),
        queueing,
        batching,
        statistics,
        secrecy,
    )
    sender = WebhookSender(settings.webhook_timeout_ms, settings.webhooks_allow_loopback)
    delivering = Delivering(made.webhooks, sender, known, notifying, hook_secret, clock)
    bots = BotTurns(known, transactor, made.scheduler, worlds, limit, settings.bot_limit_ms)
    archiving = Archiving(
        made.archive.store,
        made.archive.moves,
        made.archive.storage,
        made.archive.finished,
        made.archive.retentions,
        made.lists,
        notifying,
        worlds,
        settings.archive_after_s,
        persons.forget_seats,
    )
    return Services(
        settings,
        matches,
        bots,
        upkeep,
        archiving,
        keys,
        origins,
        notifying,
        delivering,
        made,
        feed,
        Relisting(made.store, known, made.lists, made.archive.moves.away),
        Auditing(made.store, games),
        persons,
        queueing,
        batching,
        statistics,
        secrecy,
    )


def tenant_keys(settings: Settings) -> TenantKeys:
    """The tenant keys alone. Raises ValueError for a URL that makes no sense, StoreUnavailable."""
    keys = adapters_for(settings, SystemClock()).keys
    return TenantKeys(keys, SystemClock(), derived(settings.server_secret, "ids"))


def adapters_for(settings: Settings, clock: Clock) -> Adapters:
    """The adapters the settings ask for. Raises ValueError for URLs that make no sense; StoreUnavailable
    when a Cluster cannot be reached."""
    if settings.streams_url == MEMORY_URL:
        return in_memory(clock)
    timeout = settings.store_timeout_ms / 1000
    client = connect(settings.streams_url, timeout)
    store = RedisStreams(client, settings.durability, timeout / 2)
    moves, finished, storage = RedisMoves(store), RedisFinished(client), archive_storage(settings.archive_url)
    archived = ArchivedStore(store, moves, storage, finished)
    imports = RedisImports(store.link, store.waits)
    same = settings.queues_url == settings.streams_url
    jobs = client if same else connect(settings.queues_url, timeout)
    if not isinstance(jobs, Redis):
        raise ValueError("jobs live on one server or behind Sentinel, not on a Cluster")
    apart = client if settings.persons_url is None else connect(settings.persons_url, timeout)
    queue = Queue(settings.queue, connection=jobs, serializer=JSONSerializer)

    def check() -> list[str]:
        """Whether logs and jobs can be written, and are kept."""
        reasons: list[str] = []
        warnings: list[str] = []
        try:
            warnings = check_server(store.link, settings.allow_no_aof)
            store.probe()
        except UnfitServer as error:
            reasons += [f"streams: {problem}" for problem in error.problems]
        except StoreUnavailable as error:
            reasons.append(f"streams: {error}")
        for what, server in (("queues", jobs), ("persons", apart)):
            try:
                if server is not client:
                    server.ping()
            except RedisError as error:
                reasons.append(f"{what}: {error}")
        if reasons:
            raise NotReady(reasons)
        return warnings

    tenants, lists = RedisFeed(client, settings.feed_entries), RedisReadModels(client)
    return Adapters(
        ImportingStore(archived, imports),
        RedisScheduler(client, queue, clock),
        lists,
        RedisKeys(client, store.waits),
        RedisWebhooks(client, store.waits),
        RedisQuotas(client),
        tenants,
        RedisTickets(client),
        ArchiveParts(archived, moves, storage, finished, RedisRetentions(client)),
        check,
        queue,
        [tenants.close, lists.close, store.close, jobs.close, apart.close],
        imports,
        RedisPersons(apart, settings.durability, timeout / 2),
        RedisSandbox(client),
        RedisQueue(client),
        RedisJobs(client, store.waits),
        RedisTotals(client),
        RedisReports(client, queue),
    )


def archive_storage(url: str | None) -> ArchiveStorage | None:
    """The archive a URL names: `s3://bucket/prefix`, `file:///folder`, a folder. Raises ValueError."""
    if not url:
        return None
    scheme, colon, rest = url.partition("://")
    if not colon:
        return FolderArchive(Path(url))
    if scheme == "file" and rest.startswith("/"):
        return FolderArchive(Path(unquote(rest)))
    bucket, _, prefix = rest.partition("/")
    if scheme == "s3" and bucket:
        # Slow to load, and few need it.
        from service.adapters.archive_bucket import BucketArchive

        return BucketArchive(bucket, prefix.strip("/"))
    raise ValueError("an archive is a folder, file:///folder or s3://bucket/prefix")


def in_memory(clock: Clock) -> Adapters:
    """Everything in this process."""
    imports = MemoryImports()
    store, storage, finished = MemoryStore(), MemoryArchive(), MemoryFinished()
    archived = ArchivedStore(store, store, storage, finished)
    return Adapters(
        ImportingStore(archived, imports),
        MemoryScheduler(clock),
        MemoryReadModels(),
        MemoryKeys(store),
        MemoryWebhooks(),
        MemoryQuotas(),
        MemoryFeed(store),
        MemoryTickets(),
        ArchiveParts(archived, store, storage, finished, MemoryRetentions()),
        list,
        imports=imports,
    )
