"""The order in which a DataLoader of syrah hands out samples. Whole numbers only: the same on every machine."""

M = 0xFFFFFFFF


def mix32(h):
    h &= M
    h = (h ^ (h >> 16)) * 0x85EBCA6B & M
    h = (h ^ (h >> 13)) * 0xC2B2AE35 & M
    return h ^ (h >> 16)


def hash32(*values):
    h = 0x9E3779B9
    for value in values:
        h = mix32(h * 31 + (value & M))
        h = mix32(h * 37 + (value >> 32))
    return h


def permutation(length, seed, epoch):
    """A function: position -> index, both in [0, length)."""
    bits = max(2, (length - 1).bit_length() if length > 1 else 0)
    right_bits = (bits + 1) // 2
    right_mask, left_mask = (1 << right_bits) - 1, (1 << (bits - right_bits)) - 1
    rounds = 24 if bits <= 6 else 12 if bits <= 16 else 8
    keys = [hash32(seed, epoch, number) for number in range(rounds)]

    def at(position):
        value = position
        while True:
            left, right = value >> right_bits, value & right_mask
            for k in range(0, rounds, 2):
                left ^= mix32(right * 0x9E3779B1 + keys[k]) & left_mask
                right ^= mix32(left * 0x9E3779B1 + keys[k + 1]) & right_mask
            value = left << right_bits | right
            if value < length:
                return value

    return at


def shuffled(length, seed, epoch):
    """shuffle: true"""
    at = permutation(length, seed, epoch)
    return [at(position) for position in range(length)]


def block_shuffled(shard_lengths, seed, epoch, block_items=256, buffer_items=8192):
    """shuffle: { blockItems, bufferItems }"""
    blocks, first = [], 0
    for count in shard_lengths:
        blocks += [range(first + k, first + min(k + block_items, count)) for k in range(0, count, block_items)]
        first += count
    at = permutation(len(blocks), seed, epoch)
    laid = [blocks[at(k)] for k in range(len(blocks))]
    together = max(1, buffer_items // block_items)
    order = []
    for number in range(-(-len(laid) // together)):
        items = [item for block in laid[number * together : (number + 1) * together] for item in block]
        at = permutation(len(items), hash32(seed, number), epoch)
        order += [items[at(k)] for k in range(len(items))]
    return order


def weighted(weights, seed, epoch, length):
    """WeightedSampler"""
    sums, total = [], 0.0
    for weight in weights:
        total += weight
        sums.append(total)
    order = []
    for position in range(length):
        high, low = hash32(seed, epoch, position, 0), hash32(seed, epoch, position, 1)
        wanted = ((high << 21) + (low >> 11)) / 2**53 * total
        order.append(next((k for k, each in enumerate(sums) if each > wanted), len(sums) - 1))
    return order


def class_balanced(labels, seed, epoch, length):
    """ClassBalancedSampler"""
    members = {}
    for index, label in enumerate(labels):
        members.setdefault(label, []).append(index)
    classes, order = list(members.values()), []
    for position in range(length):
        turn, slot = divmod(position, len(classes))
        label = permutation(len(classes), hash32(seed, turn), epoch)(slot)
        own = classes[label]
        order.append(own[permutation(len(own), hash32(seed, label, turn // len(own)), epoch)(turn % len(own))])
    return order


def length_buckets(lengths, seed, epoch, batch_size, buckets=16):
    """LengthBuckets: a list of batches; buckets without a sample are not counted"""
    by_length = sorted(range(len(lengths)), key=lambda k: lengths[k])
    batches = []
    for k in range(buckets):
        own = by_length[k * len(by_length) // buckets : (k + 1) * len(by_length) // buckets]
        if not own:
            continue
        at = permutation(len(own), hash32(seed, len(batches)), epoch)
        items = [own[at(j)] for j in range(len(own))]
        batches.append([items[j : j + batch_size] for j in range(0, len(items), batch_size)])
    flat = [batch for bucket in batches for batch in bucket]
    at = permutation(len(flat), seed, epoch)
    return [flat[at(k)] for k in range(len(flat))]


def batches_of(order, rank, world_size, batch_size, start=0, tail="pad", drop_last=False):
    """The batches of one rank from position `start` of the order on."""
    rest = len(order) - start
    count = {"pad": -(-rest // world_size), "drop": rest // world_size}.get(
        tail, max(0, -(-(rest - rank) // world_size))
    )
    own = [order[(start + k * world_size + rank) % len(order)] for k in range(count)]
    batches = [own[k : k + batch_size] for k in range(0, count, batch_size)]
    return [batch for batch in batches if len(batch) == batch_size or not drop_last]


def positions_done(order, batches, world_size, batch_size, start=0):
    """Where other ranks go on once each rank has handed out so many batches."""
    return min(len(order), start + batches * batch_size * world_size)
