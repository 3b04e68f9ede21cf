"""Inputs for import-peers.ts, and tools of Python that read them.

`make FORMAT OUT` writes a seeded input; `read FORMAT FILE` reads one with the format's own library and prints the
functions with the highest self weight, which is the least that a reader does.
"""
import collections
import json
import marshal
import random
import sys

RANDOM = random.Random(1)
FUNCTIONS = 20_000


def stacks(count, depth=25):
    """Returns stacks of function numbers, root first, that share their callers as those of programs do."""
    trunk = [[RANDOM.randrange(200) for _ in range(8)] for _ in range(50)]
    return [RANDOM.choice(trunk) + [RANDOM.randrange(FUNCTIONS) for _ in range(RANDOM.randrange(depth - 8))] for _ in range(count)]


def make_otlp(out):
    from opentelemetry.proto.profiles.v1development import profiles_pb2 as p

    data = p.ProfilesData()
    tables = data.dictionary
    tables.string_table.extend(['', 'cpu', 'nanoseconds'] + [f'service.module{n % 300}.function_{n}' for n in range(FUNCTIONS)])
    for table in (tables.mapping_table, tables.link_table, tables.attribute_table):
        table.add()
    tables.function_table.add()
    tables.location_table.add()
    tables.stack_table.add()
    for n in range(FUNCTIONS):
        tables.function_table.add(name_strindex=3 + n)
        tables.location_table.add().lines.add(function_index=n + 1, line=n % 900)
    rows = stacks(60_000)
    for row in rows:
        tables.stack_table.add(location_indices=[n + 1 for n in reversed(row)])
    profile = data.resource_profiles.add().scope_profiles.add().profiles.add()
    profile.sample_type.type_strindex, profile.sample_type.unit_strindex = 1, 2
    samples = getattr(profile, 'samples', None)
    samples = profile.sample if samples is None else samples
    for _ in range(300_000):
        samples.add(stack_index=1 + RANDOM.randrange(len(rows)), values=[10_000_000])
    out.write(data.SerializeToString())


def read_otlp(path):
    from opentelemetry.proto.profiles.v1development import profiles_pb2 as p

    data = p.ProfilesData.FromString(open(path, 'rb').read())
    tables = data.dictionary
    self_weight = collections.Counter()
    for resource in data.resource_profiles:
        for scope in resource.scope_profiles:
            for profile in scope.profiles:
                for sample in profile.samples:
                    leaf = tables.stack_table[sample.stack_index].location_indices[0]
                    self_weight[tables.location_table[leaf].lines[0].function_index] += sample.values[0]
    for function, weight in self_weight.most_common(30):
        print(weight, tables.string_table[tables.function_table[function].name_strindex])


def make_pstats(out):
    names = [(f'/srv/app/module{n % 300}.py', n, f'function_{n}') for n in range(FUNCTIONS)]
    stats = {}
    for n, name in enumerate(names):
        callers = {names[c]: (3, 3, 0.001, 0.002) for c in {RANDOM.randrange(max(1, n)) for _ in range(4)}} if n else {}
        stats[name] = (3 * len(callers) or 1, 3 * len(callers) or 1, 0.001 * (len(callers) or 1), 0.002, callers)
    marshal.dump(stats, out)


def read_pstats(path):
    import pstats

    pstats.Stats(path).sort_stats('tottime').print_stats(30)


def make_flamebearer(out):
    names = ['total'] + [f'service.module{n % 300}.function_{n}' for n in range(FUNCTIONS)]
    root = [0, {}]
    for row in stacks(60_000):
        node = root
        node[0] += 1
        for n in row:
            node = node[1].setdefault(n + 1, [0, {}])
            node[0] += 1
    levels, level = [], [(0, 0, root)]
    while level:
        row, below, end = [], [], 0
        for offset, name, (total, children) in level:
            own = total - sum(child[0] for child in children.values())
            row += [offset - end, total, own, name]
            end = offset + total
            at = offset
            for child_name, child in children.items():
                below.append((at, child_name, child))
                at += child[0]
        levels.append(row)
        level = below
    document = {'version': 1, 'flamebearer': {'names': names, 'levels': levels, 'numTicks': root[0], 'maxSelf': 1},
                'metadata': {'format': 'single', 'sampleRate': 100, 'units': 'samples', 'name': 'app'}}
    out.write(json.dumps(document).encode())


def make_collapsed(out):
    for row in stacks(60_000):
        out.write((';'.join(f'service/Module{n % 300}.function_{n}' for n in row) + ' 1\n').encode())


def make_repeated(out, path, megabytes=20):
    dump = open(path, 'rb').read()
    for _ in range(1 + int(megabytes * 1e6 / len(dump))):
        out.write(dump)


def main():
    what, kind, path, *more = sys.argv[1:]
    if what == 'read':
        globals()[f'read_{kind}'](path)
        return
    with open(path, 'wb') as out:
        globals()[f'make_{kind}'](out, *more)


main()
