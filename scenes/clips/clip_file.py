"""Keys as the files hold them, mirror images, and the files."""

import os

from human import JOINTS, twin


def round_all(values, digits):
    return tuple(round(v, digits) + 0.0 for v in values)


def round_key(position, angles):
    """To what the files hold: 0.01 mm, 0.01 deg."""
    return round_all(position, 5), {joint: round_all(a, 2) for joint, a in angles.items()}


def mirror_angles(a):
    return (a[0], 0.0 - a[1], 0.0 - a[2])


def mirror_key(key):
    position, angles = key
    return (0.0 - position[0], position[1], position[2]), {twin(j): mirror_angles(a) for j, a in angles.items()}


def mirror_clip(clip, name, about):
    """The mirror image; of a loop half a cycle later, so that the strikes keep their times."""
    keys = [mirror_key(k) for k in clip['keys']]
    velocity = clip['velocity']
    mirrored = dict(clip, name=name, about=about, velocity=(0.0 - velocity[0], velocity[1], velocity[2]))
    if clip['loop']:
        half = len(keys) // 2
        return dict(mirrored, keys=keys[half:] + keys[:half])
    swap = {'left': 'right', 'right': 'left'}
    marks = {'_'.join(swap.get(word, word) for word in name.split('_')): t for name, t in clip['marks'].items()}
    return dict(mirrored, keys=keys, marks=marks, turn=0.0 - clip.get('turn', 0.0),
                contacts={swap[leg]: spans for leg, spans in clip['contacts'].items()})


def number(v):
    return ('%.5f' % v).rstrip('0').rstrip('.') if v else '0'


def key_list(values, indent):
    lines, line = [], ''
    for i, v in enumerate(values):
        item = '[' + ', '.join(number(c) for c in v) + ']' + (', ' if i + 1 < len(values) else ']')
        if len(indent) + 1 + len(line) + len(item.rstrip()) > 118:
            lines.append(line.rstrip())
            line = ''
        line += item
    lines.append(line)
    return '[' + ('\n' + indent + ' ').join(lines)


def write_clip(clip, folder, joints=JOINTS, script='make_clips.py'):
    """A clip is a dict: name, about, loop, duration (s), velocity (m/s), contacts ({leg: [(begin, end)]}, s), marks
    ({name: s}), keys, and where they are not the usual ones turn (deg/s), safe, accelerates ((from, to), s) and
    stride_exponent. joints: names, the root's first."""
    root, keys, safe = next(iter(joints)), clip['keys'], clip.get('safe', (0, clip['duration']))
    t = lambda v: number(round(v, 6))
    text = ['# ' + clip['about'], '# Written by %s, which names the sources; change that, not this.' % script,
            'name: ' + clip['name'], 'loop: ' + ('true' if clip['loop'] else 'false'),
            'duration: ' + t(clip['duration']), 'root_velocity: [%s]' % ', '.join(t(v) for v in clip['velocity'])]
    if 'stride_exponent' in clip:
        text.append('stride_exponent: ' + t(clip['stride_exponent']))
    if clip.get('turn'):
        text.append('root_turn_rate: ' + t(clip['turn']))
    text.append('safe: [%s, %s]' % (t(safe[0]), t(safe[1])))
    if 'accelerates' in clip:
        text.append('accelerates: [%s, %s]' % tuple(t(v) for v in clip['accelerates']))
    spans = {leg: ', '.join('[%s, %s]' % (t(a), t(b)) for a, b in spans) for leg, spans in clip['contacts'].items()}
    if any(spans.values()):
        text += ['contacts:'] + ['  %s: [%s]' % item for item in spans.items() if item[1]]
    if clip['marks']:
        text.append('marks: {%s}' % ', '.join('%s: %s' % (n, t(v)) for n, v in clip['marks'].items()))
    text += ['root_position:', '  ' + key_list([p for p, _ in keys], '  '),
             'root_rotation:', '  ' + key_list([a[root] for _, a in keys], '  '), 'joints:']
    for joint in joints:
        values = [a[joint] for _, a in keys]
        if joint != root and any(v != (0, 0, 0) for v in values):
            if len(set(values)) == 1:
                values = values[:1]
            text += ['  %s:' % joint, '    ' + key_list(values, '    ')]
    with open(os.path.join(folder, clip['name'] + '.yaml'), 'w', encoding='utf-8') as out:
        out.write('\n'.join(text) + '\n')
