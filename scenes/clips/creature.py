"""Bodies of bodies/make_bodies.py as the clips need them: where the joints are, and legs solved for their feet."""
import math
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bodies'))

from clip_math import add, arc, conjugate, cross, dot, mul, rotate, scale, sub, turn, unit
from human import twin



def mirrored(p):
    return (0.0 - p[0], p[1], p[2])


class Creature:
    """joints: {name: (parent, place in the bind pose)}; legs: {name: (hip, knee, ankle, heel, toe, half width)}, heel
    and toe being places in the bind pose."""

    def __init__(self, parts, legs):
        self.joints, self.legs = {}, {}
        for part in parts:
            parent, at = part.get('parent'), part['at']
            self.joints[part['name']] = (parent, at)
            if 'mirror' in part:
                self.joints[part['mirror']] = (twin(parent), mirrored(at))
        for name, mirror, hip, knee, ankle, heel, toe, width in legs:
            self.legs[name] = (hip, knee, ankle, heel, toe, width)
            self.legs[mirror] = (twin(hip), twin(knee), twin(ankle), mirrored(heel), mirrored(toe), width)

    def at(self, joint):
        return self.joints[joint][1]

    def place(self, position, pose):
        """{joint: (position, rotation)} of a root position and {joint: rotation}; joints not named stay straight."""
        model = {}
        for joint, (parent, at) in self.joints.items():
            rotation = pose.get(joint, (0, 0, 0, 1))
            if parent is None:
                model[joint] = (position, rotation)
            else:
                p, q = model[parent]
                model[joint] = add(p, rotate(q, sub(at, self.at(parent)))), mul(q, rotation)
        return model

    def sole(self, leg):
        """The middle of the sole in the bind pose."""
        return scale(add(*self.legs[leg][3:5]), 0.5)

    def lowest_sole(self, model):
        """Height of the lowest corner of all soles."""
        heights = []
        for _, _, ankle, heel, toe, width in self.legs.values():
            at, q = model[ankle]
            for point in (heel, toe):
                for aside in (-width, width):
                    heights.append(add(at, rotate(q, sub(add(point, (aside, 0, 0)), self.at(ankle))))[1])
        return min(heights)

    def solve(self, leg, model, sole, foot_q):
        """Rotations {joint: rotation} that put the sole there, with the foot turned so in the root's frame. The knee
        bends to the side to which it does in the bind pose, as seen from what carries the leg."""
        hip, knee, ankle = self.legs[leg][:3]
        carrier = self.joints[hip][0]
        carrier_at, carrier_q = model[carrier]
        hip_at = add(carrier_at, rotate(carrier_q, sub(self.at(hip), self.at(carrier))))
        goal = sub(sole, rotate(foot_q, sub(self.sole(leg), self.at(ankle))))

        thigh, shin = sub(self.at(knee), self.at(hip)), sub(self.at(ankle), self.at(knee))
        a, b, way = math.sqrt(dot(thigh, thigh)), math.sqrt(dot(shin, shin)), sub(goal, hip_at)
        d = math.sqrt(dot(way, way))
        if not abs(a - b) < d < a + b:
            raise ValueError('%s reaches %.3f m, not %.3f m' % (leg, a + b, d))
        whole = add(thigh, shin)
        side = across(rotate(carrier_q, across(thigh, whole)), way)
        share = (a * a + d * d - b * b) / (2 * a * d)
        bent = add(scale(unit(way), share * a), scale(side, math.sqrt(1 - share * share) * a))

        axis, new_axis = unit(cross(thigh, shin)), unit(cross(bent, sub(way, bent)))
        thigh_q = frame_turn(unit(thigh), axis, unit(bent), new_axis)
        shin_q = frame_turn(unit(shin), axis, unit(sub(way, bent)), new_axis)
        return {hip: mul(conjugate(carrier_q), thigh_q), knee: mul(conjugate(thigh_q), shin_q),
                ankle: mul(conjugate(shin_q), foot_q)}


def across(v, axis):
    """The direction of v at right angles to an axis."""
    return unit(sub(v, scale(axis, dot(v, axis) / dot(axis, axis))))


def frame_turn(a, b, new_a, new_b):
    """The rotation that takes the unit vectors a and b, at right angles, to new_a and new_b."""
    first = arc(a, new_a)
    b = rotate(first, b)
    return mul(turn(new_a, math.atan2(dot(cross(b, new_b), new_a), dot(b, new_b))), first)
