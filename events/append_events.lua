#!lua name=wonderlog_v1

--[[ The writes of the log, each one atomic step on the three keys of a match.

    KEYS[1]  {match:<id>}:events    stream, entry id <version>-0; its length is the version of the head
    KEYS[2]  {match:<id>}:commands  hash, command id -> "<first>-<last> <fingerprint>"
    KEYS[3]  {match:<id>}:secrets   hash, name -> value; the field `tombstone` says that the match is archived

A function is not rolled back when it fails half-way: every argument is checked before the first write. Nothing
is written after an answer other than APPENDED, REPLAYED, DONE. A new behaviour is a new function in a new
library: during a rolling release both live. arguments.lua stands before this when it is loaded.
]]

--[[ Append events if the head is the expected one.

    ARGV[1]  version of the expected head, 0 for none
    ARGV[2]  hash of the expected head
    ARGV[3]  command id, or "" for none
    ARGV[4]  fingerprint of the request
    ARGV[5]  channel on which the new head is announced
    ARGV[6]  the announcement
    ARGV[7]  number of fields of an event
    ARGV[8]  number of events
    ARGV[9]  number of secrets
    then the names of the fields, the values of each event in that order, names and values of the secrets

Answers {APPENDED, first, last}, {REPLAYED, first, last}, {REUSED}, {CONFLICT, version}, {FORKED, version} or
{ARCHIVED, tombstone}. ]]
local function append(keys, args)
    local expected, width = whole(args[1]), whole(args[7])
    local count, secrets = whole(args[8]), whole(args[9])
    if #keys ~= 3 or not (expected and width and count and secrets) then
        return refuse('3 keys and 9 arguments come first')
    end
    if #args ~= 9 + width + width * count + 2 * secrets then
        return refuse('the number of arguments is wrong')
    end
    if width == 0 or count == 0 then
        return refuse('nothing to append')
    end
    if args[3] ~= '' and args[4] == '' then
        return refuse('a command id needs a fingerprint')
    end
    local named = false
    for i = 1, width do
        named = named or args[9 + i] == 'hash'
    end
    if not named then
        return refuse('events have no hash')
    end
    local secret = 9 + width + width * count
    for i = secret + 1, #args, 2 do
        if args[i] == '' or args[i] == 'tombstone' then
            return refuse('a secret cannot be named so')
        end
    end

    -- These reads also fail, before anything is written, when a key holds another type.
    local tombstone = redis.call('HGET', keys[3], 'tombstone')
    if tombstone then
        return {'ARCHIVED', tombstone}
    end
    local known = redis.call('HGET', keys[2], args[3])
    if known and args[3] ~= '' then
        local first, last, fingerprint = string.match(known, '^(%d+)-(%d+) (.*)$')
        if fingerprint ~= args[4] then
            return {'REUSED'}
        end
        -- Written again, so that waiting for this write is waiting for that one too.
        redis.call('HSET', keys[2], args[3], known)
        return {'REPLAYED', tonumber(first), tonumber(last)}
    end
    local actual = redis.call('XLEN', keys[1])
    if actual ~= expected then
        return {'CONFLICT', actual}
    end
    if expected > 0 then
        local fields = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)[1][2]
        for i = 1, #fields, 2 do
            if fields[i] == 'hash' and fields[i + 1] ~= args[2] then
                return {'FORKED', actual}
            end
        end
    end

    -- The first XADD fails when the stream's last id is beyond its length; then nothing has been written. After
    -- it, none can.
    add_events(keys[1], expected, args, 9, width, count)
    local first, last = expected + 1, expected + count
    if args[3] ~= '' then
        redis.call('HSET', keys[2], args[3], string.format('%d-%d %s', first, last, args[4]))
    end
    for i = secret + 1, #args, 2 do
        redis.call('HSET', keys[3], args[i], args[i + 1])
    end
    -- A hint: whoever must not miss a head looks. Failing to give it must not fail what is written.
    redis.pcall('PUBLISH', args[5], args[6])
    return {'APPENDED', first, last}
end

--[[ Write or drop secrets without an event.

    ARGV[1]  number of secrets to write
    then their names and values, then the names to drop

Answers {DONE}, {MISSING} when the match has no event, or {ARCHIVED, tombstone}. ]]
local function change_secrets(keys, args)
    local count = whole(args[1])
    if #keys ~= 3 or not count or #args < 1 + 2 * count then
        return refuse('3 keys, a number and as many secrets come first')
    end
    for i = 2, #args do
        local is_value = i <= 1 + 2 * count and i % 2 == 1
        if not is_value and (args[i] == '' or args[i] == 'tombstone') then
            return refuse('a secret cannot be named so')
        end
    end
    local tombstone = redis.call('HGET', keys[3], 'tombstone')
    if tombstone then
        return {'ARCHIVED', tombstone}
    end
    if redis.call('XLEN', keys[1]) == 0 then
        return {'MISSING'}
    end
    for i = 2, 1 + 2 * count, 2 do
        redis.call('HSET', keys[3], args[i], args[i + 1])
    end
    for i = 2 + 2 * count, #args do
        redis.call('HDEL', keys[3], args[i])
    end
    return {'DONE'}
end

redis.register_function('wonderlog_append_v1', append)
redis.register_function('wonderlog_secrets_v1', change_secrets)
