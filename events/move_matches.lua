#!lua name=wonderlog_moves_v1

--[[ Matches that leave the server for the archive and come back, each one atomic step on the three keys of a
match, as append_events.lua has them. Every argument is checked before the first write. arguments.lua stands
before this when it is loaded.
]]

--[[ Replace a match by a tombstone, if it is still the one that was copied.

    ARGV[1]  version of its head
    ARGV[2]  hash of its head
    ARGV[3]  number of its command records
    ARGV[4]  the tombstone
    then names and values of all its secrets

Answers {DONE}, {MISSING}, {CONFLICT, version} or {ARCHIVED, tombstone}. ]]
local function move(keys, args)
    local expected, commands = whole(args[1]), whole(args[3])
    if #keys ~= 3 or #args < 4 or #args % 2 ~= 0 or not (expected and commands) or args[4] == '' then
        return refuse('3 keys, a head, a number, a tombstone and secrets are needed')
    end
    local tombstone = redis.call('HGET', keys[3], 'tombstone')
    if tombstone then
        return {'ARCHIVED', tombstone}
    end
    local actual = redis.call('XLEN', keys[1])
    if actual == 0 then
        return {'MISSING'}
    end
    local same = actual == expected and redis.call('HLEN', keys[2]) == commands
        and redis.call('HLEN', keys[3]) == (#args - 4) / 2
    local fields = redis.call('XREVRANGE', keys[1], '+', '-', 'COUNT', 1)[1][2]
    for i = 1, #fields, 2 do
        same = same and (fields[i] ~= 'hash' or fields[i + 1] == args[2])
    end
    for i = 5, #args, 2 do
        same = same and redis.call('HGET', keys[3], args[i]) == args[i + 1]
    end
    if not same then
        return {'CONFLICT', actual}
    end
    redis.call('DEL', keys[1], keys[2], keys[3])
    redis.call('HSET', keys[3], 'tombstone', args[4])
    return {'DONE'}
end

--[[ Replace a tombstone by the match.

    ARGV[1]  the tombstone
    ARGV[2]  number of fields of an event
    ARGV[3]  number of events
    ARGV[4]  number of command records
    ARGV[5]  number of secrets
    then the names of the fields, the values of each event in that order, ids and records of the commands, names
    and values of the secrets

Answers {DONE}, {MISSING} when there is no tombstone, or {ARCHIVED, tombstone} when there is another. ]]
local function restore(keys, args)
    local width, count = whole(args[2]), whole(args[3])
    local commands, secrets = whole(args[4]), whole(args[5])
    if #keys ~= 3 or not (width and count and commands and secrets) or width == 0 or count == 0 then
        return refuse('3 keys, a tombstone and 4 numbers come first')
    end
    if #args ~= 5 + width + width * count + 2 * commands + 2 * secrets then
        return refuse('the number of arguments is wrong')
    end
    local secret = #args - 2 * secrets
    for i = secret + 1, #args, 2 do
        if args[i] == '' or args[i] == 'tombstone' then
            return refuse('a secret cannot be named so')
        end
    end
    local tombstone = redis.call('HGET', keys[3], 'tombstone')
    if not tombstone then
        return {'MISSING'}
    end
    if tombstone ~= args[1] then
        return {'ARCHIVED', tombstone}
    end
    if redis.call('EXISTS', keys[1], keys[2]) ~= 0 then
        return refuse('there are events under the tombstone')
    end
    add_events(keys[1], 0, args, 5, width, count)
    for i = 5 + width + width * count + 1, secret, 2 do
        redis.call('HSET', keys[2], args[i], args[i + 1])
    end
    redis.call('DEL', keys[3])
    for i = secret + 1, #args, 2 do
        redis.call('HSET', keys[3], args[i], args[i + 1])
    end
    return {'DONE'}
end

--[[ Replace a tombstone by another one.

    ARGV[1]  the tombstone
    ARGV[2]  the other one

Answers as `restore` does. ]]
local function bury(keys, args)
    if #keys ~= 3 or #args ~= 2 or args[2] == '' then
        return refuse('3 keys and two tombstones are needed')
    end
    local tombstone = redis.call('HGET', keys[3], 'tombstone')
    if not tombstone then
        return {'MISSING'}
    end
    if tombstone ~= args[1] then
        return {'ARCHIVED', tombstone}
    end
    redis.call('HSET', keys[3], 'tombstone', args[2])
    return {'DONE'}
end

redis.register_function('wonderlog_move_v1', move)
redis.register_function('wonderlog_restore_v1', restore)
redis.register_function('wonderlog_bury_v1', bury)
