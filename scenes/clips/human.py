"""The figures of bodies/human.yaml that the clips need; m, kg, deg."""

from clip_math import add, mul, rotate, scale, sub

HIP_X, HIP_Y, KNEE_Y, ANKLE_Y = 0.09, 0.93, 0.501, 0.07  # m
THIGH, SHIN = HIP_Y - KNEE_Y, KNEE_Y - ANKLE_Y
HEEL_Z, TOE_Z = -0.08, 0.18  # m, of the sole from the ankle
SHOULDER, ELBOW_Y, WRIST_Y = (0.215, 1.42, 0), 1.095, 0.84
UPPER_ARM, FOREARM = SHOULDER[1] - ELBOW_Y, ELBOW_Y - WRIST_Y

# name: (parent, bind position, limits of x, y, z in deg); the left side only.
JOINTS = {
    'pelvis': (None, (0, 0.93, 0), None),
    'abdomen': ('pelvis', (0, 1.06, 0), ((-20, 50), (-30, 30), (-25, 25))),
    'chest': ('abdomen', (0, 1.235, 0), ((-15, 40), (-30, 30), (-20, 20))),
    'head': ('chest', (0, 1.50, 0), ((-45, 45), (-70, 70), (-45, 45))),
    'upper_arm_l': ('chest', (0.215, 1.42, 0), ((-170, 60), (-90, 70), (-30, 170))),
    'forearm_l': ('upper_arm_l', (0.215, 1.095, 0), ((-145, 0), (0, 0), (0, 0))),
    'hand_l': ('forearm_l', (0.215, 0.84, 0), ((-70, 70), (0, 0), (-20, 35))),
    'thigh_l': ('pelvis', (0.09, 0.93, 0), ((-120, 30), (-45, 45), (-30, 45))),
    'shin_l': ('thigh_l', (0.09, 0.501, 0), ((0, 145), (0, 0), (0, 0))),
    'foot_l': ('shin_l', (0.09, 0.07, 0), ((-40, 50), (0, 0), (-25, 25))),
}
LIMIT_MARGIN = 3.0  # deg

# part: (mass, centre of mass from the joint); the left side only.
MASSES = {
    'pelvis': (8.377, (0, 0.055, 0)),
    'abdomen': (12.25, (0, 0.09, 0)),
    'chest': (11.97, (0, 0.11, 0)),
    'head': (5.205, (0, 0.125, 0.01)),
    'upper_arm_l': (2.032, (0, -0.1665, 0)),
    'forearm_l': (1.215, (0, -0.117, 0)),
    'hand_l': (0.4575, (0, -0.07, 0)),
    'thigh_l': (10.62, (0, -0.175, 0)),
    'shin_l': (3.248, (0, -0.189, 0)),
    'foot_l': (1.028, (0, -0.038, 0.05)),
}


def twin(name):
    return name[:-2] + {'_l': '_r', '_r': '_l'}[name[-2:]] if name[-2:] in ('_l', '_r') else name


for _name, (_parent, _at, _limits) in list(JOINTS.items()):
    if _name.endswith('_l'):
        _mirrored = (_limits[0], (-_limits[1][1], -_limits[1][0]), (-_limits[2][1], -_limits[2][0]))
        JOINTS[twin(_name)] = (twin(_parent), (-_at[0], _at[1], _at[2]), _mirrored)
        MASSES[twin(_name)] = MASSES[_name]  # none of the centres is aside of its joint
MASS = sum(_mass for _mass, _ in MASSES.values())

# Shapes of bodies/human.yaml: part: (kind, half sizes or (radius, half length of the axis), centre from the joint).
SHAPES = {
    'pelvis': ('box', (0.15, 0.08, 0.095), (0, 0.045, 0)),
    'abdomen': ('box', (0.135, 0.085, 0.09), (0, 0.085, 0)),
    'chest': ('box', (0.16, 0.12, 0.105), (0, 0.12, 0)),
    'head': ('capsule', (0.09, 0.035), (0, 0.125, 0.01)),
    'upper_arm': ('capsule', (0.045, 0.10), (0, -0.155, 0)),
    'forearm': ('capsule', (0.038, 0.085), (0, -0.127, 0)),
    'hand': ('box', (0.0175, 0.085, 0.04), (0, -0.085, 0)),
    'thigh': ('capsule', (0.07, 0.135), (0, -0.21, 0)),
    'shin': ('capsule', (0.05, 0.155), (0, -0.209, 0)),
    'foot': ('box', (0.048, 0.032, 0.13), (0, -0.038, 0.05)),
}


def place_parts(position, pose):
    """{joint: (position, rotation)} in the root's frame of a root position and {joint: rotation}."""
    model = {'pelvis': (position, pose['pelvis'])}
    for joint, (parent, at, _) in JOINTS.items():
        if parent:
            p, q = model[parent]
            model[joint] = add(p, rotate(q, sub(at, JOINTS[parent][1]))), mul(q, pose[joint])
    return model


def center_of_mass(model):
    center = (0, 0, 0)
    for part, (mass, at) in MASSES.items():
        position, rotation = model[part]
        center = add(center, scale(add(position, rotate(rotation, at)), mass / MASS))
    return center


def surface(part, model):
    """Points of a part and the radius around them."""
    position, rotation = model[part]
    kind, size, centre = SHAPES[part.rsplit('_', 1)[0] if part[-2:] in ('_l', '_r') else part]
    if kind == 'capsule':
        local, radius = [(0, size[1] * k / 4, 0) for k in range(-4, 5)], size[0]
    else:
        grid = [-1, -0.5, 0, 0.5, 1]
        local, radius = [(size[0] * a, size[1] * b, size[2] * c) for a in (-1, 1) for b in grid for c in grid], 0
    return [add(position, rotate(rotation, add(centre, p))) for p in local], radius
