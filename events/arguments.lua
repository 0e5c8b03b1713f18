-- What both libraries make of their arguments.

local function refuse(reason)
    return redis.error_reply('ERR wonderlog: ' .. reason)
end

local function whole(text)
    return type(text) == 'string' and string.match(text, '^%d+$') and tonumber(text) or nil
end

--[[ Add events to a stream: the names of `width` fields stand in `args` after `before` others, then the values
of each of `count` events in that order. The first one follows version `after`. ]]
local function add_events(stream, after, args, before, width, count)
    for event = 1, count do
        local fields = {}
        for i = 1, width do
            fields[2 * i - 1] = args[before + i]
            fields[2 * i] = args[before + width * event + i]
        end
        redis.call('XADD', stream, (after + event) .. '-0', unpack(fields))
    end
end
